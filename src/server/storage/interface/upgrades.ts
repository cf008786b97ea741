import type { Holder } from '../../../shared/storage-problem.ts'

/** What bringing the stored data up to the schema of this program would take. */
export interface UpgradePlan {
  /** The path of the database. */
  readonly file: string
  /** Schema versions of the data and of this program. Equal if there is nothing to do. */
  readonly from: number
  readonly to: number
  /** The copy that would be made of the data first; null if there is nothing to do, and with PostgreSQL. */
  readonly copy: string | null
  /** Bytes that the copy and the migration take on the disk, at most; they may take half of it. */
  readonly neededBytes: number
  /** Free bytes on that disk that this account may use, undefined if unknown. */
  readonly freeBytes: number | undefined
  /** Whether a server or a maintenance command uses the data now; nothing can be migrated then. */
  readonly isInUse: boolean
  /** Who that is, null if unknown or nobody. */
  readonly holder: Holder | null
}

export interface UpgradeResult {
  /** Schema versions before and after. */
  readonly from: number
  readonly to: number
  /** The copy of the data as it was; undefined if there was nothing to do, and with PostgreSQL. */
  readonly copy: string | undefined
}
