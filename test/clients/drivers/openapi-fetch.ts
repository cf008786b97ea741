import createClient from 'openapi-fetch'
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
import type { paths } from './types.js'

// Calls every operation with types of openapi-typescript, and prints what came as JSON by operation.

const { ADDRESS = '', KEY = '' } = process.env
const client = createClient<paths>({
  baseUrl: ADDRESS,
  headers: { Authorization: `Bearer ${KEY}` },
})

const publishRelease = await client.POST('/api/v1/releases', { body: release })
const checkForUpdate = await client.GET('/u/{appRef}/{channel}/{platform}/{arch}/{version}', {
  params: { path: checked, query: { labels, manual: '1' }, header: deviceHeader },
  querySerializer: { object: { style: 'form', explode: true } },
})
const showRelease = await client.GET('/api/v1/releases/{app}/{channel}/{version}', {
  params: { path: place },
})
const showAdoption = await client.GET('/api/v1/releases/{app}/{channel}/{version}/adoption', {
  params: { path: place },
})
const checkVersion = await client.GET('/api/v1/releases/{app}/{channel}/{version}/check', {
  params: { path: place },
})
const showHealth = await client.GET('/api/v1/releases/{app}/{channel}/{version}/health', {
  params: { path: place },
})
const reportOutcome = await client.POST('/u/{appRef}/{channel}/outcome', {
  params: { path: feed, header: deviceHeader },
  body: outcome,
})
const proveRelease = await client.POST('/api/v1/releases/{app}/{channel}/{version}/proof', {
  params: { path: place },
})
const preflightRelease = await client.GET('/api/v1/releases/{app}/{channel}/{version}/preflight', {
  params: { path: place },
})
const showProof = await client.GET('/api/v1/releases/{app}/{channel}/{version}/proof', {
  params: { path: place },
})
const changeServing = await client.PATCH('/api/v1/releases', {
  body: { ...place, status: 'paused' },
})
const planWave = await client.POST('/api/v1/fleet/decisions', { body: wave })
const reportState = await client.POST('/api/v1/fleet/report', { body: report })
const listReleases = await client.GET('/api/v1/releases', {
  params: { query: { app: 'editor', per_page: 5 } },
})
const showChannel = await client.GET('/api/v1/channels/{app}/{channel}', {
  params: { path: channel },
})
const changeChannel = await client.PATCH('/api/v1/channels', { body: channelChange })
const listFiles = await client.GET('/api/v1/files')
const findFile = await client.GET('/api/v1/files/{sha512}', { params: { path: file } })
const deleteFile = await client.DELETE('/api/v1/files/{sha512}', { params: { path: file } })
const listUploads = await client.GET('/api/v1/uploads')
const deleteUpload = await client.DELETE('/api/v1/uploads/{id}', { params: { path: upload } })
const putDraft = await client.PUT('/api/v1/drafts', { body: draft })
const listDrafts = await client.GET('/api/v1/drafts', { params: { query: { app: 'editor' } } })
const showDraft = await client.GET('/api/v1/drafts/{app}/{channel}/{version}', {
  params: { path: draftPlace },
})
const discardDraft = await client.DELETE('/api/v1/drafts', { body: draftPlace })
await client.PUT('/api/v1/drafts', { body: draft })
const publishDraft = await client.POST('/api/v1/drafts/publish', { body: publication })
const setPlan = await client.PUT('/api/v1/releases/plan', { body: plan })
const suspendPlan = await client.POST('/api/v1/releases/plan/suspend', { body: draftPlace })
const resumePlan = await client.POST('/api/v1/releases/plan/resume', { body: draftPlace })
const showPlan = await client.GET('/api/v1/releases/{app}/{channel}/{version}/plan', {
  params: { path: draftPlace },
})
const removePlan = await client.DELETE('/api/v1/releases/plan', { body: draftPlace })
const first = await client.GET('/feed/{appRef}/{channel}', { params: { path: feed } })
const releaseFeed = await client.GET('/feed/{appRef}/{channel}', {
  params: {
    path: feed,
    query: { limit: 100 },
    header: { 'If-None-Match': first.response.headers.get('ETag') ?? '' },
  },
})
const electronFeed = await client.GET('/electron/{appRef}/{channel}/{name}', {
  params: { path: electron, query: { version: '1.0.0' } },
  parseAs: 'text',
})
const squirrelUpdate = await client.GET(
  '/squirrel/{appRef}/{channel}/{platform}/{arch}/{version}',
  { params: { path: squirrel } },
)
const squirrelReleases = await client.GET(
  '/squirrel/{appRef}/{channel}/{platform}/{arch}/{version}/RELEASES',
  { params: { path: { ...squirrel, platform: 'windows' } }, parseAs: 'text' },
)
const sparkleAppcast = await client.GET('/sparkle/{appRef}/{channel}/appcast.xml', {
  params: { path: feed, query: { version: '1.0.0' } },
  parseAs: 'text',
})
const velopackFeed = await client.GET('/velopack/{appRef}/{channel}/{platform}/{arch}/{file}', {
  params: { path: velopack },
})
const openApi = await client.GET('/api/v1/openapi.json')
const health = await client.GET('/healthz')
const live = await client.GET('/healthz/live')
const ready = await client.GET('/healthz/ready')
const unknown = await client.GET('/feed/{appRef}/{channel}', {
  params: { path: { ...feed, channel: 'beta' } },
})

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
  { status: response.status, data },
])
process.stdout.write(JSON.stringify({ answers: Object.fromEntries(shown), message, version, size }))
