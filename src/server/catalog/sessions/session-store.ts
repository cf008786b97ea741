import type { SessionCounts } from '../../../shared/sessions.ts'

/** Sessions of a release that came from a network; see `networkNumber`. */
export interface NetworkSessions extends SessionCounts {
  readonly releaseId: string
  readonly network: number
}

/** A register of the sketch of a release's devices, see `registerOf`. */
export interface DeviceRegister {
  readonly releaseId: string
  /** 1 in the sketch of those whose sessions crashed, 0 in that of all. */
  readonly crashed: 0 | 1
  readonly register: number
  readonly rank: number
}

/** What is counted of sessions. */
export interface SessionTallies {
  readonly networks: readonly NetworkSessions[]
  readonly registers: readonly DeviceRegister[]
}

/** Where sessions are counted. Not a part of the catalog's state: raises no revision. */
export interface SessionStore {
  /** Adds counts, and raises registers, as one. Those of releases that no longer exist are left out. */
  addSessions(tallies: SessionTallies): Promise<void>
  /** What was counted for a release. */
  sessionsOf(releaseId: string): Promise<SessionTallies>
}
