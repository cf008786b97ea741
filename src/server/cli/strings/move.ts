import { formatCounted, formatPercent } from '../../../shared/wording/format.ts'
import type { MoveProblem } from '../../storage/interface/moves.ts'

export const text = {
  description: 'Copy everything from SQLite to an empty PostgreSQL database, or back',
  from: 'Data folder or postgres:// URL to copy from; stop its servers first',
  to: 'Empty postgres:// database or data folder without a database to copy to',
  discard: 'Remove what an unfinished move has copied to --to',
  copying: (percent: number) => `Copying: ${formatPercent(percent)}`,
  copied: 'Copied. Verifying…',
  verifying: (percent: number) => `Verifying: ${formatPercent(percent)}`,
  verified: 'Verified.',

  sameKind: (isFolders: boolean) =>
    isFolders
      ? '--to: must be a postgres:// URL, because --from is a data folder; to copy a data folder, use "backup" and "restore"'
      : '--to: must be a data folder, because --from is a postgres:// URL; to copy a database, use pg_dump',
  discardAlone: '--from cannot be used together with --discard',
  fromMissing: '--from: name the data folder or the postgres:// URL to copy from',
  interrupted: 'the move was interrupted; run the same command again to continue',

  discarded: (place: string) => `Removed what was copied to ${place}. It is empty again.`,
  done: (rows: number, tables: number, from: string, to: string) =>
    `Copied ${formatCounted(rows, 'row')} in ${formatCounted(tables, 'table')} from ${from} to ${to}, and verified them.`,
  headings: ['APP', 'DEVICES'],
  noApps: 'No apps',
  unchanged: (from: string) => `${from} was not changed. Do not start a server on it again.`,
  startPostgres: (to: string) =>
    `Stored files, backups and settings stay in the data folder. Start the server with the same data folder and --database for ${to}.`,
  startFolder: (to: string) =>
    `Stored files, backups and settings were not moved. Start the server with --data ${to}, without --database.`,

  problem: (problem: MoveProblem): string => {
    const { place } = problem
    switch (problem.kind) {
      case 'no_source':
        return `--from: there is no Tidegate database in ${place}; check the path or the URL`
      case 'older_source':
        return `--from: ${place} has schema ${problem.found}, and this version uses ${problem.needed}; run "tidegate upgrade" on it first`
      case 'not_empty':
        return problem.table === null
          ? `--to: ${place} already has a database; choose a folder without one`
          : `--to: ${place} is not empty (${problem.table}); choose an empty database`
      case 'foreign':
        return `--to: ${place} has a table of another program (${problem.table}); choose an empty database`
      case 'in_use':
        return problem.nodes.length === 0
          ? `${place} is in use by another move or a server that is starting; wait for it, or stop it`
          : `${place} is in use by ${problem.nodes.join(', ')}; stop these servers (one that was killed counts as running for a minute)`
      case 'other_move':
        return `--to: ${place} is the target of an unfinished move from ${problem.source}; finish that, or remove what was copied with --discard`
      case 'other_version':
        return `--to: ${place} is the target of an unfinished move by another version of Tidegate; finish it with that version, or remove what was copied with --discard`
      case 'changed':
        return `${place} has changed since the move began; remove what was copied with --discard, and start again`
      case 'no_move':
        return `--to: there is no unfinished move to ${place}`
      case 'many_devices':
        return `--to: the devices of this database have numbers above 2147483647, which a data folder cannot have`
      case 'mismatch':
        return `${problem.table} differs in ${place} (${formatCounted(problem.rows, 'row')}, expected ${problem.expected}); remove what was copied with --discard, start again, and report this if it happens twice`
      case 'miscounted':
        return `${formatCounted(problem.cells, 'count')} of devices by version in ${place} ${problem.cells === 1 ? 'does' : 'do'} not match its devices; start and stop its server once, remove what was copied with --discard, and start again`
      default:
        return problem satisfies never
    }
  },
} as const
