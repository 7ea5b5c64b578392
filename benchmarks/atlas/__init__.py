"""The atlas: what devices were measured to compute, as reports under ``tables/measured`` and a page of them all."""
