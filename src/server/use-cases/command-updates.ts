import type { FleetReads } from '../fleet/store.ts'
import { bindAll } from './bind.ts'
import {
  type ExplainParts,
  explainDevice,
  type ForgetParts,
  forgetDevice,
} from './fleet/one-device.ts'
import { type PresenceParts, showAdoption } from './fleet/presence.ts'
import { createApp, createChannel, setFreezes, setProving } from './manage/manage-apps.ts'
import { listKeys, mintKey, revokeKey } from './manage/manage-keys.ts'
import {
  createPersonLink,
  endSessionsOf,
  invitePerson,
  listPeople,
  listSessions,
  type PeopleParts,
  removePerson,
  resetTwoFactor,
  setPersonAccess,
  setPersonDisabled,
  setPersonEmail,
} from './manage/manage-people.ts'
import {
  administerWebhooks,
  createWebhook,
  getDelivery,
  listWebhooks,
  type WebhookParts,
} from './manage/manage-webhooks.ts'
import { forecastPlan } from './plans/plan-forecast.ts'
import {
  getPlan,
  type PlanParts,
  removePlan,
  resumePlan,
  setPlan,
  suspendPlan,
} from './plans/plans.ts'
import { setChannelPolicy, setEarlyAccess, showChannel } from './releases/channel-policy.ts'
import { discardDraft, getDraft, listDrafts, publishDraft, putDraft } from './releases/drafts.ts'
import { getRelease, listReleases } from './releases/list-releases.ts'
import { type PreflightParts, preflight } from './releases/preflight.ts'
import { cancelProof, type ProvingParts, showProof, startProof } from './releases/prove-release.ts'
import { type HealthParts, showHealth } from './releases/release-health.ts'
import { changeServing, judgeVersion, publishRelease } from './releases/serve-release.ts'

/** What the use cases of the command line work with: parts that need no running server. */
export interface CommandParts
  extends ExplainParts,
    ForgetParts,
    Omit<HealthParts, 'fleet'>,
    PeopleParts,
    PlanParts,
    Omit<PreflightParts, 'fleet'>,
    PresenceParts,
    ProvingParts,
    WebhookParts {
  readonly fleet: FleetReads
}

/** The use cases of the command line, on a running server and on a database alike; see the function of each. */
export type CommandUpdates = ReturnType<typeof createCommandUpdates>

/** Binds each of these use cases to the parts that it works with. */
export function createCommandUpdates(parts: CommandParts) {
  return bindAll(parts, {
    ...{ explainDevice, forgetDevice },
    ...{ createApp, createChannel, setProving, setFreezes },
    ...{ showChannel, setChannelPolicy, setEarlyAccess },
    ...{ listKeys, mintKey, revokeKey },
    ...{ listPeople, listSessions, invitePerson, createPersonLink, setPersonAccess },
    ...{ setPersonEmail, setPersonDisabled, removePerson, endSessionsOf, resetTwoFactor },
    ...{ listWebhooks, getDelivery, createWebhook, administerWebhooks },
    ...{ listReleases, getRelease, showAdoption, showHealth },
    ...{ publishRelease, judgeVersion, changeServing },
    ...{ putDraft, listDrafts, getDraft, publishDraft, discardDraft },
    ...{ startProof, cancelProof, showProof, preflight },
    ...{ getPlan, setPlan, removePlan, suspendPlan, resumePlan, forecastPlan },
  })
}
