import type { FleetReads } from '../fleet/store.ts'
import { bindTo } from './bind.ts'
import { type ExplainParts, explainDevice } from './fleet/explain-device.ts'
import { type ForgetParts, forgetDevice } from './fleet/forget-device.ts'
import type { PresenceParts } from './fleet/presence.ts'
import { showAdoption } from './fleet/show-adoption.ts'
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
  createWebhook,
  getDelivery,
  listWebhooks,
  removeWebhook,
  setWebhookDisabled,
  testWebhook,
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
import { changeServing } from './releases/change-serving.ts'
import { setChannelPolicy, setEarlyAccess, showChannel } from './releases/channel-policy.ts'
import { discardDraft, getDraft, listDrafts, publishDraft, putDraft } from './releases/drafts.ts'
import { getRelease, listReleases } from './releases/list-releases.ts'
import { cancelProof, type ProvingParts, showProof, startProof } from './releases/prove-release.ts'
import { publishRelease } from './releases/publish-release.ts'
import { showHealth } from './releases/release-health.ts'

/** What the use cases of the command line work with: parts that need no running server. */
export interface CommandParts
  extends ExplainParts,
    ForgetParts,
    PeopleParts,
    PlanParts,
    PresenceParts,
    ProvingParts,
    WebhookParts {
  readonly fleet: FleetReads
}

/** The use cases of the command line, on a running server and on a database alike; see the function of each. */
export type CommandUpdates = ReturnType<typeof createCommandUpdates>

/** Binds each of these use cases to the parts that it works with. */
export function createCommandUpdates(parts: CommandParts) {
  const bind = bindTo(parts)
  return {
    explainDevice: bind(explainDevice),
    forgetDevice: bind(forgetDevice),
    createApp: bind(createApp),
    createChannel: bind(createChannel),
    showChannel: bind(showChannel),
    setChannelPolicy: bind(setChannelPolicy),
    setEarlyAccess: bind(setEarlyAccess),
    setProving: bind(setProving),
    listKeys: bind(listKeys),
    mintKey: bind(mintKey),
    revokeKey: bind(revokeKey),
    listPeople: bind(listPeople),
    listSessions: bind(listSessions),
    invitePerson: bind(invitePerson),
    createPersonLink: bind(createPersonLink),
    setPersonAccess: bind(setPersonAccess),
    setPersonEmail: bind(setPersonEmail),
    setPersonDisabled: bind(setPersonDisabled),
    removePerson: bind(removePerson),
    endSessionsOf: bind(endSessionsOf),
    resetTwoFactor: bind(resetTwoFactor),
    listWebhooks: bind(listWebhooks),
    getDelivery: bind(getDelivery),
    createWebhook: bind(createWebhook),
    setWebhookDisabled: bind(setWebhookDisabled),
    removeWebhook: bind(removeWebhook),
    testWebhook: bind(testWebhook),
    listReleases: bind(listReleases),
    getRelease: bind(getRelease),
    showAdoption: bind(showAdoption),
    showHealth: bind(showHealth),
    publishRelease: bind(publishRelease),
    putDraft: bind(putDraft),
    listDrafts: bind(listDrafts),
    getDraft: bind(getDraft),
    publishDraft: bind(publishDraft),
    discardDraft: bind(discardDraft),
    startProof: bind(startProof),
    cancelProof: bind(cancelProof),
    showProof: bind(showProof),
    changeServing: bind(changeServing),
    getPlan: bind(getPlan),
    setPlan: bind(setPlan),
    removePlan: bind(removePlan),
    suspendPlan: bind(suspendPlan),
    resumePlan: bind(resumePlan),
    forecastPlan: bind(forecastPlan),
    setFreezes: bind(setFreezes),
  }
}
