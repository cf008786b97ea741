import {
  administerBackups,
  type BackupParts,
  recordBackupDownload,
  restoreBackup,
} from './administer-backups.ts'
import { bindTo } from './bind.ts'
import {
  applyChangeRequest,
  declineChangeRequest,
  previewChangeRequest,
  proposeChange,
  servingNeedsApproval,
  withdrawChangeRequest,
} from './change-requests.ts'
import { createCheckFeed } from './check-feed.ts'
import { type CheckParts, createCheckForUpdate } from './check-for-update.ts'
import { type CommandParts, createCommandUpdates } from './command-updates.ts'
import { saveDraft } from './drafts.ts'
import { expectedDevices } from './expected-devices.ts'
import { countPendingRequests, getChangeRequest, listChangeRequests } from './find-requests.ts'
import {
  deleteFile,
  findFile,
  finishUpload,
  type HostingParts,
  listFiles,
  uploadFiles,
} from './host-files.ts'
import { findInstallation } from './installation.ts'
import { judgeVersion } from './judge-version.ts'
import { renameApp, setAppArchived } from './manage-apps.ts'
import { type KeyUseParts, noteKeyUse } from './manage-keys.ts'
import { changeWebhook, listDeliveries, redeliver, rotateWebhookSecret } from './manage-webhooks.ts'
import { planCalendar } from './plan-forecast.ts'
import { planWave } from './plan-wave.ts'
import { previewDraft } from './preview-draft.ts'
import { type PreviewParts, previewServing } from './preview-serving.ts'
import {
  appendPiece,
  beginUpload,
  deleteUpload,
  listUploads,
  revokeUploadingKey,
} from './receive-upload.ts'
import { type RemovalParts, removeApp, removeChannel } from './remove-app.ts'
import { reportDevices } from './report-devices.ts'
import { reportOutcome } from './report-outcome.ts'

/** What the use cases work with. */
export interface UpdatesParts
  extends BackupParts,
    CheckParts,
    HostingParts,
    // The fleet of a running server can count as well.
    Omit<CommandParts, 'fleet'>,
    KeyUseParts,
    PreviewParts,
    RemovalParts {}

/** The use cases of a running server; see the function of each. */
export type Updates = ReturnType<typeof createUpdates>

/** Binds each use case to the parts that it works with. */
export function createUpdates(parts: UpdatesParts) {
  const bind = bindTo(parts)
  const check = createCheckForUpdate(parts)
  return {
    ...createCommandUpdates(parts),
    installation: bind(findInstallation),
    check,
    checkFeed: createCheckFeed(check),
    planWave: bind(planWave),
    saveDraft: bind(saveDraft),
    previewDraft: bind(previewDraft),
    report: bind(reportDevices),
    reportOutcome: bind(reportOutcome),
    renameApp: bind(renameApp),
    setAppArchived: bind(setAppArchived),
    removeApp: bind(removeApp),
    removeChannel: bind(removeChannel),
    noteKeyUse: bind(noteKeyUse),
    judgeVersion: bind(judgeVersion),
    previewServing: bind(previewServing),
    expectedDevices: bind(expectedDevices),
    planCalendar: bind(planCalendar),
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
    restoreBackup: bind(restoreBackup),
    listDeliveries: bind(listDeliveries),
    changeWebhook: bind(changeWebhook),
    rotateWebhookSecret: bind(rotateWebhookSecret),
    redeliver: bind(redeliver),
    recordBackupDownload: bind(recordBackupDownload),
    uploadFiles: bind(uploadFiles),
    finishUpload: bind(finishUpload),
    beginUpload: bind(beginUpload),
    appendPiece: bind(appendPiece),
    findFile: bind(findFile),
    listFiles: bind(listFiles),
    listUploads: bind(listUploads),
    deleteUpload: bind(deleteUpload),
    revokeKey: bind(revokeUploadingKey),
    deleteFile: bind(deleteFile),
  }
}
