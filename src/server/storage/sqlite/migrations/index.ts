import { catalog } from './0001-catalog.ts'
import { fleet } from './0002-fleet.ts'
import { removal } from './0003-removal.ts'
import { history } from './0004-history.ts'
import { audit } from './0005-audit.ts'
import { profileUse } from './0006-profile-use.ts'
import { deviceLimits } from './0007-device-limits.ts'
import { people } from './0008-people.ts'
import { approvals } from './0009-approvals.ts'
import { commandLine } from './0010-command-line.ts'
import { outbox } from './0011-outbox.ts'
import { bundleKinds } from './0012-bundle-kinds.ts'
import { drafts } from './0013-drafts.ts'
import { proving } from './0014-proving.ts'
import { health } from './0015-health.ts'
import { earlyAccess } from './0016-early-access.ts'
import { plans } from './0017-plans.ts'
import { stoppedPlans } from './0018-stopped-plans.ts'
import { suspectedPlans } from './0019-suspected-plans.ts'
import { actors } from './0020-actors.ts'
import { uncheckedSignatures } from './0021-unchecked-signatures.ts'
import { evidence } from './0022-evidence.ts'
import { knownDevices } from './0023-known-devices.ts'
import { draftOwners } from './0024-draft-owners.ts'
import { artifactDetails } from './0025-artifact-details.ts'
import { signedDocuments } from './0026-signed-documents.ts'
import { sessions } from './0027-sessions.ts'
import { waitingOffers } from './0028-waiting-offers.ts'

/** A step forward of the schema. The only way back is a copy of the file. */
export interface Migration {
  /** The `user_version` of a database that has it: 1 for the first, without gaps. */
  readonly number: number
  readonly name: string
  readonly sql: string
}

/**
 * Every migration, in order. Never edit one that was released. Before you add one, run
 * `npx node test/server/storage/upgrade/make-fixtures.ts`, which keeps a database of the schema before it.
 */
export const MIGRATIONS: readonly Migration[] = [
  catalog,
  fleet,
  removal,
  history,
  audit,
  profileUse,
  deviceLimits,
  people,
  approvals,
  commandLine,
  outbox,
  bundleKinds,
  drafts,
  proving,
  health,
  earlyAccess,
  plans,
  stoppedPlans,
  suspectedPlans,
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

/** The version of the schema after all `migrations`. */
export function schemaVersion(migrations: readonly Migration[] = MIGRATIONS): number {
  return migrations.at(-1)?.number ?? 0
}
