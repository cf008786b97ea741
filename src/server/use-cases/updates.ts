import {
  applyChangeRequest,
  declineChangeRequest,
  previewChangeRequest,
  proposeChange,
  servingNeedsApproval,
  withdrawChangeRequest,
} from './approvals/change-requests.ts'
import {
  countPendingRequests,
  getChangeRequest,
  listChangeRequests,
} from './approvals/find-requests.ts'
import { bindTo } from './bind.ts'
import { type CommandParts, createCommandUpdates } from './command-updates.ts'
import {
  deleteFile,
  findFile,
  finishUpload,
  type HostingParts,
  listFiles,
  uploadFiles,
} from './files/host-files.ts'
import {
  appendPiece,
  beginUpload,
  deleteUpload,
  listUploads,
  revokeUploadingKey,
} from './files/receive-upload.ts'
import { createCheckFeed } from './fleet/check-feed.ts'
import { type CheckParts, createCheckForUpdate } from './fleet/check-for-update.ts'
import { findInstallation } from './fleet/installation.ts'
import { judgeVersion } from './fleet/judge-version.ts'
import { planWave } from './fleet/plan-wave.ts'
import { reportDevices } from './fleet/report-devices.ts'
import { reportOutcome } from './fleet/report-outcome.ts'
import {
  administerBackups,
  type BackupParts,
  recordBackupDownload,
  restoreBackup,
} from './manage/administer-backups.ts'
import { renameApp, setAppArchived } from './manage/manage-apps.ts'
import { type KeyUseParts, noteKeyUse } from './manage/manage-keys.ts'
import {
  changeWebhook,
  listDeliveries,
  redeliver,
  rotateWebhookSecret,
} from './manage/manage-webhooks.ts'
import { type RemovalParts, removeApp, removeChannel } from './manage/remove-app.ts'
import { planCalendar } from './plans/plan-forecast.ts'
import { saveDraft } from './releases/drafts.ts'
import { expectedDevices } from './releases/expected-devices.ts'
import { previewDraft } from './releases/preview-draft.ts'
import { type PreviewParts, previewServing } from './releases/preview-serving.ts'
import { releaseDownloads } from './releases/release-downloads.ts'

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
    releaseDownloads: bind(releaseDownloads),
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
