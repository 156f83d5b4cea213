"""The sowing as it happens: what hands lift, drop and carry."""
