import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { MemoryRouter } from 'react-router'
import { expect, test } from 'vitest'
import { queryClient } from '../../../src/renderer/bridge/query-client.ts'
import { FleetContent } from '../../../src/renderer/fleet/fleet-content.tsx'
import type { Dashboard } from '../../../src/shared/console/fleet.ts'

const DATA: Dashboard = {
  unit: 'day',
  steps: ['2026-03-13T00:00:00.000Z', '2026-03-14T00:00:00.000Z'],
  adoption: {
    total: [1_111, 2_222],
    bands: [
      { version: '1.1.0', devices: [0, 2_001] },
      { version: '1.0.0', devices: [1_000, 201] },
      { version: null, devices: [111, 20] },
    ],
    otherVersions: 3,
  },
  traffic: { checkIns: [31, 32], anonymous: [3, 4], offers: [5, 6] },
  platforms: {
    since: '2026-03-13T00:00:00.000Z',
    rows: [{ platform: 'linux', arch: 'x86_64', devices: 2_345 }],
  },
  totals: {
    ...{ devices: 2_345, seenLast24Hours: 2_222, seenLast7Days: 2_345, seenLast30Days: 2_345 },
    shareUpToDate: 0.86,
  },
  marks: [
    {
      ...{ at: '2026-03-14T09:26:53.589Z', channel: 'stable', version: '1.1.0' },
      ...{ change: 'raised', rolloutPct: 50 },
    },
  ],
}

function rendered(): string {
  const scope = { app: 'editor', channel: 'stable', range: '30d' } as const
  const content = createElement(FleetContent, { data: DATA, scope })
  const routed = createElement(MemoryRouter, null, content)
  const page = createElement(QueryClientProvider, { client: queryClient }, routed)
  return renderToString(createElement(MantineProvider, null, page))
}

/** The cells of every row of the tables, in order. */
function tableRows(html: string): string[][] {
  return [...html.matchAll(/<tr[^>]*>(.*?)<\/tr>/gs)].map(([, row = '']) =>
    [...row.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/gs)].map(([, cell = '']) => cell),
  )
}

test('the numbers of every chart are in the page before anybody asks for a table', () => {
  const count = (value: number) => new Intl.NumberFormat().format(value)
  const rows = tableRows(rendered())
  expect(rows[0]).toEqual(['Day (UTC)', 'All devices', '1.1.0', '1.0.0', '3 other versions'])
  expect(rows[1]?.slice(1)).toEqual([2_222, 2_001, 201, 20].map(count))
  expect(rows[2]?.slice(1)).toEqual([1_111, 0, 1_000, 111].map(count))
  expect(rows.slice(4, 6).map((row) => row.slice(1))).toEqual([
    ['32', '6', '4'],
    ['31', '5', '3'],
  ])
  expect(rows.at(-1)).toEqual(['linux x86_64', count(2_345)])
})

test('a chart says in a sentence what it shows, and a change of a rollout is told in words', () => {
  const html = rendered().replaceAll('<!-- -->', '')
  expect(html).toContain(
    'Peak: 2,222 devices/UTC day in the last 30 days. Most common version: 1.1.0.',
  )
  expect(html).toContain('63 check-ins in the last 30 days: 11 offered an update, 7 anonymous.')
  expect(html).toContain('stable: rollout raised to 50%')
})
