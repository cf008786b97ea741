import { administerBackups, type BackupParts } from './administer-backups.ts'
import {
  applyChangeRequest,
  declineChangeRequest,
  previewChangeRequest,
  proposeChange,
  servingNeedsApproval,
  withdrawChangeRequest,
} from './change-requests.ts'
import { changeServing } from './change-serving.ts'
import { type CheckParts, createCheckForUpdate } from './check-for-update.ts'
import { type ExplainParts, explainDevice } from './explain-device.ts'
import { countPendingRequests, getChangeRequest, listChangeRequests } from './find-requests.ts'
import { type ForgetParts, forgetDevice } from './forget-device.ts'
import { findInstallation } from './installation.ts'
import { judgeVersion } from './judge-version.ts'
import { getRelease, listReleases } from './list-releases.ts'
import {
  createApp,
  createChannel,
  renameApp,
  setAppArchived,
  setChannelPolicy,
} from './manage-apps.ts'
import { type KeyUseParts, listKeys, mintKey, noteKeyUse, revokeKey } from './manage-keys.ts'
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
} from './manage-people.ts'
import { planWave } from './plan-wave.ts'
import { type PreviewParts, previewServing } from './preview-serving.ts'
import { publishRelease } from './publish-release.ts'
import { type RemovalParts, removeApp, removeChannel } from './remove-app.ts'
import { reportDevices } from './report-devices.ts'

/** What the use cases work with. */
export interface UpdatesParts
  extends BackupParts,
    CheckParts,
    ExplainParts,
    ForgetParts,
    KeyUseParts,
    PeopleParts,
    PreviewParts,
    RemovalParts {}

/** The use cases of a running server; see the function of each. */
export type Updates = ReturnType<typeof createUpdates>

/** Binds each use case to the parts that it works with. */
export function createUpdates(parts: UpdatesParts) {
  const bind =
    <Args extends readonly unknown[], Result>(
      useCase: (parts: UpdatesParts, ...args: Args) => Result,
    ) =>
    (...args: Args): Result =>
      useCase(parts, ...args)
  return {
    installation: bind(findInstallation),
    check: createCheckForUpdate(parts),
    planWave: bind(planWave),
    report: bind(reportDevices),
    explainDevice: bind(explainDevice),
    forgetDevice: bind(forgetDevice),
    createApp: bind(createApp),
    renameApp: bind(renameApp),
    setAppArchived: bind(setAppArchived),
    removeApp: bind(removeApp),
    createChannel: bind(createChannel),
    setChannelPolicy: bind(setChannelPolicy),
    removeChannel: bind(removeChannel),
    listKeys: bind(listKeys),
    mintKey: bind(mintKey),
    revokeKey: bind(revokeKey),
    noteKeyUse: bind(noteKeyUse),
    listPeople: bind(listPeople),
    listSessions: bind(listSessions),
    invitePerson: bind(invitePerson),
    createPersonLink: bind(createPersonLink),
    setPersonAccess: bind(setPersonAccess),
    setPersonDisabled: bind(setPersonDisabled),
    removePerson: bind(removePerson),
    endSessionsOf: bind(endSessionsOf),
    resetTwoFactor: bind(resetTwoFactor),
    listReleases: bind(listReleases),
    getRelease: bind(getRelease),
    judgeVersion: bind(judgeVersion),
    publishRelease: bind(publishRelease),
    previewServing: bind(previewServing),
    changeServing: bind(changeServing),
    servingNeedsApproval: bind(servingNeedsApproval),
    proposeChange: bind(proposeChange),
    previewChangeRequest: bind(previewChangeRequest),
    applyChangeRequest: bind(applyChangeRequest),
    declineChangeRequest: bind(declineChangeRequest),
    withdrawChangeRequest: bind(withdrawChangeRequest),
    listChangeRequests: bind(listChangeRequests),
    countPendingRequests: bind(countPendingRequests),
    getChangeRequest: bind(getChangeRequest),
    administerBackups: bind(administerBackups),
  }
}
