import { Stack } from '@mantine/core'
import { IconChecklist } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { ChangeRequestItem } from '../../../shared/releases/change-request.ts'
import { server } from '../../bridge/clients.ts'
import { Panel } from '../../components/blocks.tsx'
import { type Column, DataTable } from '../../components/list/data-table.tsx'
import { EmptyState } from '../../components/loading/empty-state.tsx'
import { Loaded } from '../../components/loading/loading.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { Small, TextLink, When } from '../../components/text/words.tsx'
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
            if (waiting.length > 0) {
              return (
                <RequestsPanel
                  title={text.open}
                  label={text.openTable}
                  requests={waiting}
                  columns={OF_OPEN}
                />
              )
            }
            return <EmptyState icon={IconChecklist} title={text.empty} hint={text.emptyHint} />
          }}
        </Loaded>
        {closed.data !== undefined && closed.data.length > 0 && (
          <RequestsPanel
            title={text.closed}
            label={text.closedTable}
            requests={closed.data}
            columns={OF_CLOSED}
          />
        )}
      </Stack>
    </>
  )
}

interface Props {
  readonly title: string
  readonly label: string
  readonly requests: readonly ChangeRequestItem[]
  /** Beside those of every request. */
  readonly columns: readonly Column<ChangeRequestItem>[]
}

function RequestsPanel({ title, label, requests, columns }: Props) {
  return (
    <Panel flush title={title}>
      <DataTable
        label={label}
        rows={requests}
        keyOf={({ id }) => id}
        columns={[...COLUMNS, ...columns]}
      />
    </Panel>
  )
}

const { requested, expires, outcome, closed: closedAt } = text.columns
const OF_OPEN: Props['columns'] = [
  { name: requested, cell: ({ proposedAt }) => <When at={proposedAt} /> },
  { name: expires, cell: ({ expiresAt }) => <When at={expiresAt} /> },
]
const OF_CLOSED: Props['columns'] = [
  { name: outcome, cell: ({ closed }) => closed && outcomeInWords(closed) },
  { name: closedAt, cell: ({ closed }) => <When at={closed?.at ?? null} /> },
]

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
      <TextLink to={paths.approval(request.id)}>{changeInWords(request)}</TextLink>
      <Small>
        {`${request.app}/${request.channel}`}
        {targets !== undefined && ` · ${targets}`}
      </Small>
    </>
  )
}
