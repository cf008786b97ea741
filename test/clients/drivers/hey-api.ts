import {
  channel,
  channelChange,
  checked,
  deviceHeader,
  draft,
  draftPlace,
  electron,
  feed,
  file,
  labels,
  outcome,
  place,
  plan,
  publication,
  release,
  report,
  squirrel,
  upload,
  velopack,
  wave,
} from './requests.js'
import { createClient } from './sdk/client/index.js'
import * as api from './sdk/index.js'

// Calls every operation with the client of @hey-api/openapi-ts, and prints what came as JSON by operation.

const { ADDRESS = '', KEY = '' } = process.env
const client = createClient({ baseUrl: ADDRESS, auth: KEY })

const publishRelease = await api.publishRelease({ client, body: release })
const checkForUpdate = await api.checkForUpdate({
  client,
  path: checked,
  query: { labels, manual: '1' },
  headers: deviceHeader,
})
const showRelease = await api.showRelease({ client, path: place })
const showAdoption = await api.showAdoption({ client, path: place })
const proveRelease = await api.proveRelease({ client, path: place })
const preflightRelease = await api.preflightRelease({ client, path: place })
const checkVersion = await api.checkVersion({ client, path: place })
const showHealth = await api.showHealth({ client, path: place })
const reportOutcome = await api.reportOutcome({
  client,
  path: feed,
  headers: deviceHeader,
  body: outcome,
})
const showProof = await api.showProof({ client, path: place })
const changeServing = await api.changeServing({ client, body: { ...place, status: 'paused' } })
const planWave = await api.planWave({ client, body: wave })
const reportState = await api.reportState({ client, body: report })
const listReleases = await api.listReleases({ client, query: { app: 'editor', per_page: 5 } })
const showChannel = await api.showChannel({ client, path: channel })
const changeChannel = await api.changeChannel({ client, body: channelChange })
const listFiles = await api.listFiles({ client })
const findFile = await api.findFile({ client, path: file })
const deleteFile = await api.deleteFile({ client, path: file })
const listUploads = await api.listUploads({ client })
const deleteUpload = await api.deleteUpload({ client, path: upload })
const putDraft = await api.putDraft({ client, body: draft })
const listDrafts = await api.listDrafts({ client, query: { app: 'editor' } })
const showDraft = await api.showDraft({ client, path: draftPlace })
const discardDraft = await api.discardDraft({ client, query: draftPlace })
await api.putDraft({ client, body: draft })
const publishDraft = await api.publishDraft({ client, body: publication })
const first = await api.releaseFeed({ client, path: feed })
const releaseFeed = await api.releaseFeed({
  client,
  path: feed,
  query: { limit: 100 },
  headers: { 'If-None-Match': first.response?.headers.get('ETag') ?? '' },
})
const setPlan = await api.setPlan({ client, body: plan })
const suspendPlan = await api.suspendPlan({ client, body: draftPlace })
const resumePlan = await api.resumePlan({ client, body: draftPlace })
const showPlan = await api.showPlan({ client, path: draftPlace })
const removePlan = await api.removePlan({ client, body: draftPlace })
const electronFeed = await api.electronFeed({
  client,
  path: electron,
  query: { version: '1.0.0' },
  parseAs: 'text',
})
const squirrelUpdate = await api.squirrelUpdate({ client, path: squirrel })
const squirrelReleases = await api.squirrelReleases({
  client,
  path: { ...squirrel, platform: 'windows' },
  parseAs: 'text',
})
const sparkleAppcast = await api.sparkleAppcast({
  client,
  path: feed,
  query: { version: '1.0.0' },
  parseAs: 'text',
})
const velopackFeed = await api.velopackFeed({ client, path: velopack })
const openApi = await api.openApi({ client })
const health = await api.health({ client })
const live = await api.live({ client })
const ready = await api.ready({ client })
const unknown = await api.releaseFeed({ client, path: { ...feed, channel: 'beta' } })

// Typed as described: an error has a message, and what an answer always has is there.
const message: string | undefined = unknown.error?.error
const version: string | undefined = checkForUpdate.data?.version
const size: number | undefined = showRelease.data?.release.artifacts[0]?.size
const answers = {
  ...{ publishRelease, checkForUpdate, showRelease, showAdoption, changeServing, planWave },
  checkVersion,
  preflightRelease,
  ...{ showHealth, reportOutcome, proveRelease, showProof, listFiles, findFile, deleteFile },
  ...{ listUploads, deleteUpload },
  ...{ showChannel, changeChannel, setPlan, suspendPlan, resumePlan, showPlan, removePlan },
  ...{ reportState, putDraft, listDrafts, showDraft, discardDraft, publishDraft },
  ...{ electronFeed, squirrelUpdate, squirrelReleases, sparkleAppcast, velopackFeed },
  ...{ listReleases, releaseFeed, openApi, health, live, ready },
}
const shown = Object.entries(answers).map(([id, { response, data }]) => [
  id,
  { status: response?.status, data },
])
process.stdout.write(JSON.stringify({ answers: Object.fromEntries(shown), message, version, size }))
