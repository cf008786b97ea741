import { Alert, Badge, Group, Stack, Table, Text } from '@mantine/core'
import {
  IconAlertTriangle,
  IconCircleCheck,
  IconCircleX,
  IconInfoCircle,
} from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { ConsoleNode, NodesView } from '../../../shared/console/settings/status.ts'
import { server } from '../../bridge/clients.ts'
import { useServerState } from '../../bridge/server-state.tsx'
import { Panel } from '../../components/blocks.tsx'
import { Loaded } from '../../components/loading/loading.tsx'
import { Quiet, Small, Toned, When } from '../../components/text/words.tsx'
import classes from '../settings.module.css'
import { TASKS, text } from './strings.ts'
import { nodeWarnings } from './warnings.ts'

/** Milliseconds: the nodes tell of themselves every few seconds. */
const LOOK = 2_000
/** Milliseconds of a lease below which it is about to end: it is renewed long before. */
const ENDING = 2_500

/** The servers on the same database; nothing where there can be only one. */
export function NodesSection() {
  const running = useServerState().state === 'running'
  const query = useQuery({
    ...server.nodes.list.queryOptions(undefined, {
      refetchInterval: ({ state }) => (state.data === null ? false : LOOK),
    }),
    enabled: running,
  })
  if (query.data === null || (query.data === undefined && query.error === null)) return null
  const count = query.data?.nodes.length
  return (
    <Panel
      title={text.title}
      aside={count !== undefined && <Quiet span>{text.count(count)}</Quiet>}
    >
      <Loaded query={query}>
        {(view) =>
          view !== null && (
            <Stack gap="md">
              {running ? <Warnings view={view} /> : <Urgent lines={[text.disconnected]} />}
              {view.nodes.length === 0 ? (
                <Quiet>{text.empty}</Quiet>
              ) : (
                <NodesTable nodes={view.nodes} />
              )}
            </Stack>
          )
        }
      </Loaded>
    </Panel>
  )
}

function Warnings({ view }: { readonly view: NodesView }) {
  const warnings = nodeWarnings(view, Date.now())
  const [urgent, others] = [
    warnings.filter(({ tone }) => tone === 'warn'),
    warnings.filter(({ tone }) => tone === 'info'),
  ]
  return (
    <>
      {urgent.length > 0 && <Urgent lines={urgent.map(({ words }) => words)} />}
      {others.length > 0 && (
        <Alert color="blue" role="status" icon={<IconInfoCircle size={16} />}>
          <Lines lines={others.map(({ words }) => words)} />
        </Alert>
      )}
    </>
  )
}

function Urgent({ lines }: { readonly lines: readonly string[] }) {
  return (
    <Alert color="yellow" role="alert" icon={<IconAlertTriangle size={16} />}>
      <Lines lines={lines} />
    </Alert>
  )
}

function Lines({ lines }: { readonly lines: readonly string[] }) {
  return (
    <Stack gap={4}>
      {lines.map((words) => (
        <Text key={words} size="sm">
          {words}
        </Text>
      ))}
    </Stack>
  )
}

function NodesTable({ nodes }: { readonly nodes: readonly ConsoleNode[] }) {
  return (
    <Table aria-label={text.title} verticalSpacing="xs" className={classes.nodes}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{text.columns.node}</Table.Th>
          <Table.Th>{text.columns.version}</Table.Th>
          <Table.Th>{text.columns.lease}</Table.Th>
          <Table.Th>{text.columns.load}</Table.Th>
          <Table.Th>{text.columns.tasks}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {nodes.map((node) => (
          <NodeRow key={node.id} node={node} />
        ))}
      </Table.Tbody>
    </Table>
  )
}

function NodeRow({ node }: { readonly node: ConsoleNode }) {
  const { name, address, own, version, startedAt, behind, leads } = node
  return (
    <Table.Tr className={classes.node}>
      <Table.Td>
        <Group component="span" display="inline-flex" gap="4px 8px">
          {name}
          {own && (
            <Badge size="sm" variant="light" tt="none">
              {text.own}
            </Badge>
          )}
        </Group>
        <Small>{address ?? text.noAddress}</Small>
      </Table.Td>
      <Table.Td data-label={text.columns.version}>
        {version}
        <Small>
          {text.started} <When at={startedAt} />
        </Small>
      </Table.Td>
      <Table.Td className={classes.short} data-label={text.columns.lease}>
        <Lease left={node.leaseLeft} />
        <Small>{behind === 0 ? text.current : text.behind(behind)}</Small>
      </Table.Td>
      <Table.Td className={classes.short} data-label={text.columns.load}>
        <Load node={node} />
      </Table.Td>
      <Table.Td data-label={text.columns.tasks}>
        <Text size="sm">
          {leads.length === 0 ? text.noTasks : leads.map((task) => TASKS[task]).join(', ')}
        </Text>
      </Table.Td>
    </Table.Tr>
  )
}

function Lease({ left }: { readonly left: number }) {
  const isEnding = left < ENDING
  const Icon = left === 0 ? IconCircleX : isEnding ? IconAlertTriangle : IconCircleCheck
  return (
    <Toned tone={isEnding ? 'warn' : 'good'} icon={Icon} gap={6} className={classes.state}>
      {left === 0 ? text.leaseEnded : isEnding ? text.leaseEnds(left) : text.leaseOk}
    </Toned>
  )
}

function Load({
  node: { checkInRate, queued, lost, memory, delay },
}: {
  readonly node: ConsoleNode
}) {
  if (checkInRate === null) return text.unknown
  const shown = [
    queued !== null && text.queued(queued),
    lost !== null && lost > 0 && text.lost(lost),
    memory !== null && text.memory(memory),
    delay !== null && text.delay(delay),
  ].filter((part) => part !== false)
  return (
    <>
      {text.rate(checkInRate)}
      <Small>{shown.join(' · ')}</Small>
    </>
  )
}
