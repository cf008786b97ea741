import { Stack, Table, Text } from '@mantine/core'
import { IconChecklist } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
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
  return (
    <Panel flush title={text.open}>
      <Table aria-label={text.openTable}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{text.columns.change}</Table.Th>
            <Table.Th>{text.columns.requestedBy}</Table.Th>
            <Table.Th>{text.columns.requested}</Table.Th>
            <Table.Th>{text.columns.expires}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {requests.map((request) => (
            <Table.Tr key={request.id}>
              <ChangeCell request={request} />
              <Table.Td>{request.proposedBy}</Table.Td>
              <Table.Td>
                <When at={request.proposedAt} />
              </Table.Td>
              <Table.Td>
                <When at={request.expiresAt} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Panel>
  )
}

function ClosedTable({ requests }: Props) {
  return (
    <Panel flush title={text.closed}>
      <Table aria-label={text.closedTable}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{text.columns.change}</Table.Th>
            <Table.Th>{text.columns.requestedBy}</Table.Th>
            <Table.Th>{text.columns.outcome}</Table.Th>
            <Table.Th>{text.columns.closed}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {requests.map((request) => (
            <Table.Tr key={request.id}>
              <ChangeCell request={request} />
              <Table.Td>{request.proposedBy}</Table.Td>
              <Table.Td>{request.closed && outcomeInWords(request.closed)}</Table.Td>
              <Table.Td>
                <When at={request.closed?.at ?? null} />
              </Table.Td>
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
