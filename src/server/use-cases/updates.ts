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
import { bindAll } from './bind.ts'
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
import { countSessions, type SessionParts } from './fleet/count-sessions.ts'
import { findInstallation } from './fleet/installation.ts'
import { planWave } from './fleet/plan-wave.ts'
import { reportDevices, reportOutcome } from './fleet/reports.ts'
import {
  administerBackups,
  type BackupParts,
  recordBackupDownload,
  restoreBackup,
} from './manage/administer-backups.ts'
import { renameApp, setAppArchived } from './manage/manage-apps.ts'
import { type KeyUseParts, noteKeyUse } from './manage/manage-keys.ts'
import { changeWebhook } from './manage/manage-webhooks.ts'
import { type RemovalParts, removeApp, removeChannel } from './manage/remove-app.ts'
import { planCalendar, recommendPlan } from './plans/plan-forecast.ts'
import { countApprovers } from './releases/channel-policy.ts'
import { previewDraft, saveDraft } from './releases/drafts.ts'
import { expectedDevices } from './releases/expected-devices.ts'
import { releaseDownloads } from './releases/partial-downloads.ts'
import { followPreflight } from './releases/preflight.ts'
import { type PreviewParts, previewPublish, previewServing } from './releases/preview-serving.ts'
import { measureFile } from './releases/prove-release.ts'
import { failuresByDay } from './releases/release-health.ts'
import { explainStop, stopRelease, undoStop } from './releases/serve-release.ts'

export interface UpdatesParts
  extends BackupParts,
    CheckParts,
    HostingParts,
    // The fleet of a running server can count as well.
    Omit<CommandParts, 'fleet'>,
    KeyUseParts,
    PreviewParts,
    Omit<SessionParts, 'fleet'>,
    RemovalParts {}

/** The use cases of a running server; see the function of each. */
export type Updates = ReturnType<typeof createUpdates>

/** Binds each use case to the parts that it works with. */
export function createUpdates(parts: UpdatesParts) {
  const check = createCheckForUpdate(parts)
  return {
    ...createCommandUpdates(parts),
    check,
    checkFeed: createCheckFeed(check),
    ...bindAll(parts, {
      ...{ installation: findInstallation, planWave, report: reportDevices, reportOutcome },
      ...{ previewServing, previewPublish, releaseDownloads, expectedDevices, planCalendar },
      recommendPlan,
      ...{ stopRelease, undoStop, explainStop, measureFile, failuresByDay },
      countSessions,
      ...{ saveDraft, previewDraft, followPreflight },
      ...{ renameApp, setAppArchived, removeApp, removeChannel, noteKeyUse, changeWebhook },
      ...{ servingNeedsApproval, proposeChange, previewChangeRequest, applyChangeRequest },
      ...{ declineChangeRequest, withdrawChangeRequest },
      ...{ listChangeRequests, countPendingRequests, countApprovers, getChangeRequest },
      ...{ administerBackups, restoreBackup, recordBackupDownload },
      ...{ uploadFiles, finishUpload, findFile, listFiles, deleteFile },
      ...{ beginUpload, appendPiece, listUploads, deleteUpload, revokeKey: revokeUploadingKey },
    }),
  }
}
