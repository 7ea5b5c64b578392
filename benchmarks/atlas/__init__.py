"""The atlas of measured errors: one compact file for each device, in the folder ``devices``."""
