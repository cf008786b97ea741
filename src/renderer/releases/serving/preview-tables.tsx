import { Tabs } from '@mantine/core'
import type { Preview } from '../../../shared/console/releases.ts'
import { formatCount } from '../../../shared/wording/format.ts'
import { DataTable } from '../../components/list/data-table.tsx'
import { VersionBadge } from '../../components/release/version-badge.tsx'
import classes from './preview.module.css'
import { text } from './strings.ts'

type Counts = Preview['byVersion']

interface Props {
  readonly app: string
  readonly preview: Preview
}

/** The devices concerned, by what they run, where, and how they are labelled. */
export function PreviewTables({ app, preview }: Props) {
  const tables = [
    { key: 'version', name: text.byVersion, counts: preview.byVersion },
    { key: 'platform', name: text.byPlatform, counts: preview.byPlatform },
    { key: 'label', name: text.byLabel, counts: preview.byLabel },
  ].map((table) => ({ ...table, counts: table.counts.filter(concerned) }))
  const [first] = tables.filter(({ counts }) => counts.length > 0)
  if (first === undefined) return null
  return (
    <Tabs defaultValue={first.key}>
      <Tabs.List>
        {tables.map(({ key, name, counts }) => (
          <Tabs.Tab key={key} value={key} disabled={counts.length === 0}>
            {name}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {tables.map(({ key, counts }) => (
        <Tabs.Panel key={key} value={key} className={classes.table}>
          <CountTable app={app} counts={counts} versions={key === 'version'} />
        </Tabs.Panel>
      ))}
    </Tabs>
  )
}

interface CountTableProps {
  readonly app: string
  readonly counts: Counts
  readonly versions: boolean
}

function CountTable({ app, counts, versions }: CountTableProps) {
  return (
    <DataTable
      verticalSpacing={4}
      rows={counts}
      keyOf={({ name }) => name}
      columns={[
        {
          name: versions ? text.runs : text.devices,
          cell: ({ name }) => (versions ? <VersionBadge app={app} version={name} /> : name),
        },
        { name: text.gaining, ta: 'end', cell: ({ gaining }) => formatCount(gaining) },
        { name: text.losing, ta: 'end', cell: ({ losing }) => formatCount(losing) },
        { name: text.movingDown, ta: 'end', cell: ({ movingDown }) => formatCount(movingDown) },
      ]}
    />
  )
}

function concerned({ gaining, losing, movingDown }: Counts[number]): boolean {
  return gaining + losing + movingDown > 0
}
