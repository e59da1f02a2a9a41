// The scriptable origin.
