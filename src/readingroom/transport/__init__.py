"""The only room with descriptors, sockets and processes. Its carriers are imported one by one, for each costs a start."""
