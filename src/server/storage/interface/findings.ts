import type { Coded } from '../../../shared/coded.ts'
import type { ListedNode } from '../../../shared/operation/readiness.ts'
import type { StorageProblem } from '../../../shared/operation/storage-problem.ts'

/** Rows of the history that refer to what does not exist, or to the wrong row. */
export type HistoryIssue =
  | 'changes_without_device'
  | 'changes_without_previous'
  | 'devices_without_change'
  | 'check_ins_out_of_order'
  | 'hours_without_profile'
  | 'devices_without_release'
  | 'counts_without_release'

/** What is wrong with stored data. An `error` must be fixed before the server can be relied on. */
export type Finding = Coded<{
  unreadable: { level: 'error'; problem: StorageProblem }
  empty: { level: 'error' }
  /** The message of the engine. */
  damaged: { level: 'error'; detail: string }
  orphans: { level: 'error'; table: string; parent: string }
  history: { level: 'warning'; issue: HistoryIssue; count: number }
  outdated: { level: 'warning'; version: number; expected: number }
  low_disk_space: { level: 'warning'; freeBytes: number; neededBytes: number }
  large_log: { level: 'warning'; logBytes: number }
  /** Nodes that ended without saying so. */
  stale_nodes: { level: 'warning'; count: number }
  /** Check-ins of these UTC days (`2026-03-14`) cannot be stored. */
  partitions: { level: 'warning'; days: readonly string[] }
  /** The database server is a standby, or writes are switched off. */
  read_only: { level: 'error' }
  /** A replication slot that nothing reads keeps so many bytes of the write-ahead log. */
  idle_slot: { level: 'warning'; slot: string; bytes: number }
}>

export interface DoctorReport {
  /** False if there is a finding of level `error`. */
  readonly ok: boolean
  readonly findings: readonly Finding[]
  readonly file: string
  /** Schema version of the file, `undefined` if it could not be read, and the expected one. */
  readonly version: number | undefined
  readonly expectedVersion: number
  readonly databaseBytes: number
  /** Undefined if this account may not see it. */
  readonly logBytes: number | undefined
  /** Free bytes on the disk of the data that this account may use; undefined if unknown. */
  readonly freeBytes: number | undefined
  /** Rows by table, in PostgreSQL estimated for large ones. Empty if the data could not be read. */
  readonly rows: Readonly<Record<string, number>>
  /** The nodes that have not ended; undefined in SQLite, and if they could not be read. */
  readonly nodes?: readonly ListedNode[] | undefined
}
