import { Stack, Table } from '@mantine/core'
import type { PreviewTotals } from '../../shared/change-request.ts'
import { formatCount } from '../../shared/wording/format.ts'
import { Panel } from '../components/panel.tsx'
import { PreviewPanel } from '../releases/serving/preview-panel.tsx'
import type { Counting } from '../releases/serving/use-preview.ts'
import type { ApprovalDetail } from './approval.ts'
import { text } from './strings.ts'

interface Props {
  readonly request: ApprovalDetail
  readonly counting: Counting
}

/** What the change would do to the known devices: when it was requested, and now. */
export function ImpactPanel({ request, counting }: Props) {
  const { state } = counting
  const now = state.state === 'ready' ? state.preview : undefined
  const isOpen = request.closed === null
  return (
    <Panel title={text.impact}>
      <Stack gap="md">
        <Table aria-label={text.impact}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{text.devices}</Table.Th>
              <Table.Th ta="end">{text.whenRequested}</Table.Th>
              {isOpen && <Table.Th ta="end">{text.now}</Table.Th>}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {LINES.map(({ name, count }) => (
              <Table.Tr key={name}>
                <Table.Td>{name}</Table.Td>
                <Table.Td ta="end">{formatCount(count(request.preview))}</Table.Td>
                {isOpen && (
                  <Table.Td ta="end">
                    {now === undefined ? text.unknown : formatCount(count(now))}
                  </Table.Td>
                )}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
        {isOpen && (
          <PreviewPanel
            label={text.impactNow}
            state={state}
            app={request.app}
            version={request.version}
            running={0}
            onCancel={counting.cancel}
            onAgain={counting.again}
          />
        )}
      </Stack>
    </Panel>
  )
}

const LINES: readonly { readonly name: string; count(totals: PreviewTotals): number }[] = [
  { name: text.known, count: ({ devices }) => devices },
  { name: text.gaining, count: ({ gaining }) => gaining },
  { name: text.losing, count: ({ losing }) => losing },
]
