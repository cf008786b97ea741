import type { ServerFacts } from './monitor.ts'

/** Returns whether update checks are answered with a current catalog, and first offers can be stored. */
export function isReady({ database, trouble }: Pick<ServerFacts, 'database' | 'trouble'>): boolean {
  return database === 'current' && trouble === null
}

/** Returns whether the last attempt to make a backup failed, or the folder cannot be read. */
export function isBackupFailing({
  lastFailure,
  lastSuccessAt,
  folderProblem,
}: ServerFacts['backups']): boolean {
  if (folderProblem !== null) return true
  if (lastFailure === null) return false
  return lastSuccessAt === null || lastFailure.at > lastSuccessAt
}
