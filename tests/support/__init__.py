"""What tests of several rooms share: messages to send, a server in memory, a server in a process of its own."""
