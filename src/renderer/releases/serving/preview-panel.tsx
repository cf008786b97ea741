import { Group, Progress, Stack, Tabs, Text } from '@mantine/core'
import type { Preview } from '../../../shared/console/releases/preview.ts'
import { formatCount } from '../../../shared/wording/format.ts'
import { ErrorNotice, SmallButton } from '../../components/blocks.tsx'
import { DataTable } from '../../components/list/data-table.tsx'
import { VersionBadge } from '../../components/release/version-badge.tsx'
import { refusalInWords } from './changed-notice.tsx'
import classes from './serving.module.css'
import { previewInWords, text } from './strings.ts'
import type { PreviewState } from './use-preview.ts'

interface Props {
  /** Of this part of the screen, if another one is called “Impact” already. */
  readonly label?: string
  readonly state: PreviewState
  readonly app: string
  readonly version: string
  /** Devices that run the release now. */
  readonly running: number
  /** Whether only its sentences are shown. */
  readonly isBrief?: boolean
  readonly onCancel: () => void
  readonly onAgain: () => void
}

/** What a change would do to the known devices: the count while it runs, then its numbers. */
export function PreviewPanel(props: Props) {
  const { label = text.impact, state, app, version, running, isBrief = false } = props
  const { onCancel, onAgain } = props
  return (
    <section className={classes.panel} aria-label={label}>
      {state.state === 'running' && <Counting {...state} onCancel={onCancel} />}
      {state.state === 'cancelled' && (
        <Group justify="space-between">
          <Text size="sm" role="status">
            {text.countStopped}
          </Text>
          <SmallButton onClick={onAgain}>{text.countAgain}</SmallButton>
        </Group>
      )}
      {state.state === 'failed' && (
        <ErrorNotice
          error={refusalInWords(state.error)}
          title={text.countFailed}
          onRetry={onAgain}
        />
      )}
      {state.state === 'ready' && (
        <Stack gap="sm">
          <div role="status">
            {previewInWords(state.preview, version, running).map((line) => (
              <Text key={line} fw={500}>
                {line}
              </Text>
            ))}
          </div>
          {!isBrief && <PreviewTables app={app} preview={state.preview} />}
        </Stack>
      )}
    </section>
  )
}

interface CountingProps {
  readonly done: number
  readonly total: number
  readonly onCancel: () => void
}

function Counting({ done, total, onCancel }: CountingProps) {
  const sentence = total === 0 ? text.counting : text.countingOf(done, total)
  return (
    <Group wrap="nowrap">
      <Stack gap={4} flex={1}>
        <Text size="sm">{sentence}</Text>
        <Progress value={total === 0 ? 0 : (done / total) * 100} aria-label={text.countedDevices} />
      </Stack>
      <SmallButton onClick={onCancel}>{text.stopCounting}</SmallButton>
    </Group>
  )
}

type Counts = Preview['byVersion']

/** The devices concerned, by what they run, where, and how they are labelled. */
function PreviewTables({ app, preview }: { readonly app: string; readonly preview: Preview }) {
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
