"""The atlas: what devices were measured to compute, as one compact file for each in the folder ``devices``."""
