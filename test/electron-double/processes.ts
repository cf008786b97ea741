/** The utility processes that run, by process id, with the names that they were given. */
export const utilities = new Map<number, string>()
