"""Results of which every bit is prescribed, stated a second time for the auditor; shares no code with the library."""
