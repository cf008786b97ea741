import { checked, deviceHeader, feed, labels, place, release, report, wave } from './requests.js'
import { createClient } from './sdk/client/index.js'
import * as api from './sdk/index.js'

// Calls every operation with the client of @hey-api/openapi-ts, and prints what came as JSON by operation.

const { ADDRESS = '', KEY = '' } = process.env
const client = createClient({ baseUrl: ADDRESS, auth: KEY })

const publishRelease = await api.publishRelease({ client, body: release })
const checkForUpdate = await api.checkForUpdate({
  client,
  path: checked,
  query: { labels },
  headers: deviceHeader,
})
const showRelease = await api.showRelease({ client, path: place })
const changeServing = await api.changeServing({ client, body: { ...place, status: 'paused' } })
const planWave = await api.planWave({ client, body: wave })
const reportState = await api.reportState({ client, body: report })
const listReleases = await api.listReleases({ client, query: { app: 'editor', per_page: 5 } })
const first = await api.releaseFeed({ client, path: feed })
const releaseFeed = await api.releaseFeed({
  client,
  path: feed,
  query: { limit: 100 },
  headers: { 'If-None-Match': first.response?.headers.get('ETag') ?? '' },
})
const openApi = await api.openApi({ client })
const health = await api.health({ client })
const unknown = await api.releaseFeed({ client, path: { ...feed, channel: 'beta' } })

// Typed as described: an error has a message, and what an answer always has is there.
const message: string | undefined = unknown.error?.error
const version: string | undefined = checkForUpdate.data?.version
const size: number | undefined = showRelease.data?.release.artifacts[0]?.size
const answers = {
  ...{ publishRelease, checkForUpdate, showRelease, changeServing, planWave, reportState },
  ...{ listReleases, releaseFeed, openApi, health },
}
const shown = Object.entries(answers).map(([id, { response, data }]) => [
  id,
  { status: response?.status, data },
])
process.stdout.write(JSON.stringify({ answers: Object.fromEntries(shown), message, version, size }))
