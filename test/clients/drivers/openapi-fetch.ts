import createClient from 'openapi-fetch'
import { checked, deviceHeader, feed, labels, place, release, report, wave } from './requests.js'
import type { paths } from './types.js'

// Calls every operation with types of openapi-typescript, and prints what came as JSON by operation.

const { ADDRESS = '', KEY = '' } = process.env
const client = createClient<paths>({
  baseUrl: ADDRESS,
  headers: { Authorization: `Bearer ${KEY}` },
})

const publishRelease = await client.POST('/api/v1/releases', { body: release })
const checkForUpdate = await client.GET('/u/{appRef}/{channel}/{platform}/{arch}/{version}', {
  params: { path: checked, query: { labels }, header: deviceHeader },
  querySerializer: { object: { style: 'form', explode: true } },
})
const showRelease = await client.GET('/api/v1/releases/{app}/{channel}/{version}', {
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
const first = await client.GET('/feed/{appRef}/{channel}', { params: { path: feed } })
const releaseFeed = await client.GET('/feed/{appRef}/{channel}', {
  params: {
    path: feed,
    query: { limit: 100 },
    header: { 'If-None-Match': first.response.headers.get('ETag') ?? '' },
  },
})
const openApi = await client.GET('/api/v1/openapi.json')
const health = await client.GET('/healthz')
const unknown = await client.GET('/feed/{appRef}/{channel}', {
  params: { path: { ...feed, channel: 'beta' } },
})

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
  { status: response.status, data },
])
process.stdout.write(JSON.stringify({ answers: Object.fromEntries(shown), message, version, size }))
