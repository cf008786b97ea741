import { Stack } from '@mantine/core'
import { IconChecklist } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import type { ChangeRequestItem } from '../../../shared/releases/change-request.ts'
import { server } from '../../bridge/clients.ts'
import { type Column, DataTable } from '../../components/list/data-table.tsx'
import { EmptyState } from '../../components/loading/empty-state.tsx'
import { Loaded } from '../../components/loading/loading.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { Panel } from '../../components/panel.tsx'
import { Small, When } from '../../components/text/words.tsx'
import { paths } from '../../paths.ts'
import { changeInWords, outcomeInWords, targetsOfChange, text } from './strings.ts'

/** The change requests: those that wait, and what became of the others. */
export function Component() {
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
            return <EmptyState icon={IconChecklist} title={text.empty} hint={text.emptyHint} />
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
    <Panel flush title={text.open}>
      <DataTable
        label={text.openTable}
        rows={requests}
        keyOf={({ id }) => id}
        columns={[
          ...COLUMNS,
          { name: requested, cell: ({ proposedAt }) => <When at={proposedAt} /> },
          { name: expires, cell: ({ expiresAt }) => <When at={expiresAt} /> },
        ]}
      />
    </Panel>
  )
}

function ClosedTable({ requests }: Props) {
  const { outcome, closed: closedAt } = text.columns
  return (
    <Panel flush title={text.closed}>
      <DataTable
        label={text.closedTable}
        rows={requests}
        keyOf={({ id }) => id}
        columns={[
          ...COLUMNS,
          { name: outcome, cell: ({ closed }) => closed && outcomeInWords(closed) },
          { name: closedAt, cell: ({ closed }) => <When at={closed?.at ?? null} /> },
        ]}
      />
    </Panel>
  )
}

const COLUMNS: readonly Column<ChangeRequestItem>[] = [
  {
    ...{ name: text.columns.change, className: 'wraps' },
    cell: (request) => <RequestedChange request={request} />,
  },
  { name: text.columns.requestedBy, cell: ({ proposedBy }) => proposedBy },
]

function RequestedChange({ request }: { readonly request: ChangeRequestItem }) {
  const targets = targetsOfChange(request.change)
  return (
    <>
      <Link to={paths.approval(request.id)} className="link">
        {changeInWords(request)}
      </Link>
      <Small>
        {`${request.app}/${request.channel}`}
        {targets !== undefined && ` · ${targets}`}
      </Small>
    </>
  )
}
