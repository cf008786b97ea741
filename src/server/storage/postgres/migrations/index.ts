import { catalog } from './0001-catalog.ts'
import { people } from './0002-people.ts'
import { nodes } from './0003-nodes.ts'
import { fleet } from './0004-fleet.ts'
import { deviceSearch } from './0005-device-search.ts'
import { deviceLists } from './0006-device-lists.ts'
import { rateLimits } from './0007-rate-limits.ts'
import { signInState } from './0008-sign-in-state.ts'
import { fasterWrites } from './0009-faster-writes.ts'
import { storedFiles } from './0010-stored-files.ts'
import { leaderFacts } from './0011-leader-facts.ts'
import { filesPlace } from './0012-files-place.ts'
import { plainCheckIns } from './0013-plain-check-ins.ts'
import { actors } from './0014-actors.ts'
import { uncheckedSignatures } from './0015-unchecked-signatures.ts'
import { evidence } from './0016-evidence.ts'
import { knownDevices } from './0017-known-devices.ts'
import { draftOwners } from './0018-draft-owners.ts'
import { artifactDetails } from './0019-artifact-details.ts'
import { signedDocuments } from './0020-signed-documents.ts'
import { sessions } from './0021-sessions.ts'
import { waitingOffers } from './0022-waiting-offers.ts'

/** A change of the schema, applied once, in one transaction. */
export interface Migration {
  readonly number: number
  readonly name: string
  /**
   * The newest migration that a program must know at least to work with a database that has this one. Below `number` for
   * what only adds, so that nodes of the version before go on while others are upgraded.
   */
  readonly readableFrom: number
  readonly sql: string
}

/** In their order, without a gap. */
export const MIGRATIONS: readonly Migration[] = [
  catalog,
  people,
  nodes,
  fleet,
  deviceSearch,
  deviceLists,
  rateLimits,
  signInState,
  fasterWrites,
  storedFiles,
  leaderFacts,
  filesPlace,
  plainCheckIns,
  actors,
  uncheckedSignatures,
  evidence,
  knownDevices,
  draftOwners,
  artifactDetails,
  signedDocuments,
  sessions,
  waitingOffers,
]

/** The newest migration of this program. */
export const SCHEMA = MIGRATIONS.length
