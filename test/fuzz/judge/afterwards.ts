import { isDeepStrictEqual } from 'node:util'
import { describeFinding } from '../../../src/server/cli/data/doctor.ts'
import { forPrincipal } from '../../../src/server/console/context.ts'
import { dashboardOf } from '../../../src/server/console/fleet/fleet-dashboard.ts'
import { desktopPrincipal } from '../../../src/server/console/procedures.ts'
import { createServer } from '../../../src/server/server.ts'
import { storageEngine } from '../../../src/server/storage/open-storage.ts'
import { DASHBOARD_CHECK_INS, recountDashboard } from '../../support/check-in-log/dashboard.ts'
import { type DataPlace, rowsAt } from '../../support/servers/rows.ts'
import type { FuzzedServer } from '../server/fuzzed-server.ts'
import { BUDGETS, overspent } from './budgets.ts'
import type { ObservedReleases } from './releases.ts'

/** Higher than every version that is published while fuzzing. */
const LATEST = '9999.0.0'
const PER_PAGE = 100

/** Returns what is wrong with a fuzzed server that is still running. */
export async function issuesWhileRunning(
  { facts }: FuzzedServer,
  observed: ObservedReleases,
): Promise<string[]> {
  const ask = async (path: string, init: RequestInit = {}) => {
    const answer = await fetch(`http://127.0.0.1:${facts.port}${path}`, {
      ...init,
      headers: { authorization: `Bearer ${facts.keys.all}`, 'content-type': 'application/json' },
    })
    const text = await answer.text()
    return { status: answer.status, body: text === '' ? null : JSON.parse(text) }
  }
  const issues: string[] = []
  const expectAnswer = (what: string, found: unknown, expected: unknown) => {
    if (!isDeepStrictEqual(found, expected)) {
      issues.push(`${what}: ${JSON.stringify(found)} instead of ${JSON.stringify(expected)}`)
    }
  }
  expectAnswer('health', (await ask('/healthz')).status, 200)
  const artifact = {
    platform: 'linux',
    arch: 'x86_64',
    url: 'https://a.example/',
    sha512: 'ab'.repeat(64),
  }
  const body = { app: 'viewer', channel: 'stable', version: LATEST, artifacts: [artifact] }
  const published = await ask('/api/v1/releases', { method: 'POST', body: JSON.stringify(body) })
  expectAnswer('publishing', published.status, 201)
  const check = async (version: string) => {
    const { status, body: offer } = await ask(`/u/viewer/stable/linux/x86_64/${version}`)
    return [status, offer?.version ?? null]
  }
  expectAnswer('a check below', await check('1.0.0'), [200, LATEST])
  expectAnswer('a check at the latest', await check(LATEST), [204, null])
  const releases: unknown[] = []
  for (let page = 1, pages = 1; page <= pages; page++) {
    const { body: list } = await ask(`/api/v1/releases?per_page=${PER_PAGE}&page=${page}`)
    pages = list.pageCount
    releases.push(...list.releases)
  }
  return [...issues, ...observed.issues(releases)]
}

/** Returns what is wrong with the data of a fuzzed server that has stopped. */
export async function issuesOfData(place: DataPlace): Promise<string[]> {
  const config = { dataFolder: place.folder, database: place.database }
  const { findings } = await storageEngine(config).examine()
  const issues = findings.filter(({ code }) => code !== 'low_disk_space').map(describeFinding)
  const server = await createServer({ ...config, port: 0, budgets: BUDGETS }).start()
  try {
    issues.push(...(await overspent(place)))
    const checkIns = await rowsAt(place, DASHBOARD_CHECK_INS)
    const now = Date.now()
    for (const app of ['editor', 'viewer']) {
      const input = { app, range: '24h' } as const
      const { adoption, traffic, platforms, totals } = await dashboardOf(
        forPrincipal(server.consoleContext, desktopPrincipal()),
        input,
        now,
      )
      const recounted = recountDashboard(checkIns, input, now)
      const { shareUpToDate: _share, ...counted } = totals
      const shown = { adoption, traffic, platforms: { rows: platforms.rows }, totals: counted }
      for (const [name, numbers] of Object.entries(recounted)) {
        if (isDeepStrictEqual(Object.entries(shown).find(([it]) => it === name)?.[1], numbers))
          continue
        issues.push(`${name} of ${app} is not what a recount of its check-ins says`)
      }
    }
  } finally {
    await server.stop()
  }
  return issues
}
