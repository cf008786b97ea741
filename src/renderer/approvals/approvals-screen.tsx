import { Stack, Table, Text } from '@mantine/core'
import { IconChecklist } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { ChangeRequestItem } from '../../shared/change-request.ts'
import { server } from '../bridge/clients.ts'
import { EmptyState } from '../components/loading/empty-state.tsx'
import { Loaded } from '../components/loading/loaded.tsx'
import { PageHeader } from '../components/page-header.tsx'
import { Panel } from '../components/panel.tsx'
import { When } from '../components/text/when.tsx'
import { paths } from '../paths.ts'
import { changeInWords, outcomeInWords, targetsOfChange, text } from './strings.ts'

/** The change requests: those that wait, and what became of the others. */
export function ApprovalsScreen() {
  const open = useQuery(server.changeRequests.list.queryOptions({ state: 'open' }))
  const closed = useQuery(server.changeRequests.list.queryOptions({ state: 'closed' }))
  return (
    <>
      <PageHeader title={text.title} description={text.description} />
      <Stack gap="md">
        <Loaded query={open}>
          {(requests) => {
            const waiting = requests.filter((request) => request.closed === null)
            if (waiting.length > 0) return <OpenTable requests={waiting} />
            return (
              <EmptyState icon={IconChecklist} title={text.empty}>
                {text.emptyHint}
              </EmptyState>
            )
          }}
        </Loaded>
        {closed.data !== undefined && closed.data.length > 0 && (
          <ClosedTable requests={closed.data} />
        )}
      </Stack>
    </>
  )
}

interface Props {
  readonly requests: readonly ChangeRequestItem[]
}

function OpenTable({ requests }: Props) {
  const { requested, expires } = text.columns
  return (
    <RequestTable
      title={text.open}
      label={text.openTable}
      columns={[requested, expires]}
      requests={requests}
    >
      {({ proposedAt, expiresAt }) => (
        <>
          <Table.Td>
            <When at={proposedAt} />
          </Table.Td>
          <Table.Td>
            <When at={expiresAt} />
          </Table.Td>
        </>
      )}
    </RequestTable>
  )
}

function ClosedTable({ requests }: Props) {
  const { outcome, closed: closedAt } = text.columns
  return (
    <RequestTable
      title={text.closed}
      label={text.closedTable}
      columns={[outcome, closedAt]}
      requests={requests}
    >
      {({ closed }) => (
        <>
          <Table.Td>{closed && outcomeInWords(closed)}</Table.Td>
          <Table.Td>
            <When at={closed?.at ?? null} />
          </Table.Td>
        </>
      )}
    </RequestTable>
  )
}

interface TableProps extends Props {
  readonly title: string
  readonly label: string
  /** The columns after the change and who requested it. */
  readonly columns: readonly string[]
  /** Returns the cells of those columns. */
  readonly children: (request: ChangeRequestItem) => ReactNode
}

function RequestTable({ title, label, columns, requests, children }: TableProps) {
  return (
    <Panel flush title={title}>
      <Table aria-label={label}>
        <Table.Thead>
          <Table.Tr>
            {[text.columns.change, text.columns.requestedBy, ...columns].map((column) => (
              <Table.Th key={column}>{column}</Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {requests.map((request) => (
            <Table.Tr key={request.id}>
              <ChangeCell request={request} />
              <Table.Td>{request.proposedBy}</Table.Td>
              {children(request)}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Panel>
  )
}

function ChangeCell({ request }: { readonly request: ChangeRequestItem }) {
  const targets = targetsOfChange(request.change)
  return (
    <Table.Td>
      <Link to={paths.approval(request.id)} className="link">
        {changeInWords(request)}
      </Link>
      <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
        {`${request.app}/${request.channel}`}
        {targets !== undefined && ` · ${targets}`}
      </Text>
    </Table.Td>
  )
}
