/** The names of the running utility processes, by process id. */
export const utilities = new Map<number, string>()
