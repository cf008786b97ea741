import { showProgress } from '../output/progress.ts'
import type { Cell, Table } from '../output/table.ts'
import type { Scenario } from '../scenarios/scenario.ts'
import { checkPairs } from './check-pairs.ts'
import { PAIR_COLUMNS, type Pair, pairRow } from './pair.ts'
import { alternately, type Sides } from './sides.ts'
import { startPairs } from './start-pairs.ts'

/** What is measured with both servers at hand. Of the others, whole scenarios take turns. */
const OWN: Readonly<Record<string, (sides: Sides) => Promise<Pair[]>>> = {
  checks: checkPairs,
  startup: startPairs,
}

/** Compares a scenario of this revision with the same one of another, in alternating rounds. */
export async function against(
  sides: Sides,
  name: string,
  scenario: Scenario,
  commit: string,
): Promise<Table> {
  const pairs = (await OWN[name]?.(sides)) ?? (await scenarioPairs(sides, name, scenario))
  return {
    title: `${name}: here, and ${commit} there`,
    columns: PAIR_COLUMNS,
    rows: pairs.map(pairRow),
    notes: [
      `Medians of ${sides.here.scale.rounds} rounds in turn. Ratio: how much better it is here, of neighbouring rounds.`,
    ],
    details: pairs,
  }
}

/** Figures of which more is better; of the others, less is. */
const MORE = /\/s$|ratio|of aim/
/** About the machine and the client, not about the server. */
const ABOUT_OTHERS = /^(client|others|bare.*|devices|releases|connections)$/

async function scenarioPairs(
  { here, there }: Sides,
  name: string,
  scenario: Scenario,
): Promise<Pair[]> {
  const once = { rounds: 1 }
  const tables = await alternately(
    here.scale.rounds,
    () => scenario({ ...here, scale: { ...here.scale, ...once } }),
    () => scenario({ ...there, scale: { ...there.scale, ...once } }),
  )
  const [first] = tables.here
  const labels = (row: Readonly<Record<string, Cell>>) =>
    Object.entries(row)
      .filter(
        ([column, cell]) =>
          typeof cell === 'string' || /^(devices|releases|connections)$/.test(column),
      )
      .map(([, cell]) => String(cell))
      .join(', ')
  const valuesOf = (found: readonly Table[], label: string, column: string) =>
    found.map(({ rows }) => {
      const cell = rows.find((row) => labels(row) === label)?.[column]
      return typeof cell === 'number' ? cell : Number.NaN
    })
  const pairs = (first?.rows ?? []).flatMap((row) =>
    Object.entries(row).flatMap(([column, cell]) => {
      if (typeof cell !== 'number' || ABOUT_OTHERS.test(column)) return []
      const label = labels(row)
      const [own, other] = [
        valuesOf(tables.here, label, column),
        valuesOf(tables.there, label, column),
      ]
      return [{ what: label, unit: column, isMore: MORE.test(column), here: own, there: other }]
    }),
  )
  if (pairs.length === 0) showProgress(`${name}: no figures to compare`)
  return pairs
}
