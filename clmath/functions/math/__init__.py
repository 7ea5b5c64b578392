"""Math functions, a module for each section of the chapter, 3.19.2 to 3.19.10, and one for the operators of 4.4."""
