"""Many boards, seen only through what they publish."""
