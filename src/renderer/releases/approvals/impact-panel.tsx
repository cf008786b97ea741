import { Stack } from '@mantine/core'
import type { inferRouterOutputs } from '@trpc/server'
import type { AppRouter } from '../../../server/console/router.ts'
import type { PreviewTotals } from '../../../shared/releases/change-request.ts'
import { formatCount } from '../../../shared/wording/format.ts'
import { Panel } from '../../components/blocks.tsx'
import { DataTable } from '../../components/list/data-table.tsx'
import { PreviewPanel } from '../serving/preview-panel.tsx'
import type { Counting } from '../serving/use-preview.ts'
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
        <DataTable
          label={text.impact}
          rows={LINES}
          keyOf={({ name }) => name}
          columns={[
            { name: text.devices, cell: ({ name }) => name },
            {
              ...{ name: text.whenRequested, ta: 'end' },
              cell: ({ count }) => formatCount(count(request.preview)),
            },
            isOpen && {
              ...{ name: text.now, ta: 'end' },
              cell: ({ count }) => (now === undefined ? text.unknown : formatCount(count(now))),
            },
          ]}
        />
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

/** A change request as it reaches the page. */
export type ApprovalDetail = inferRouterOutputs<AppRouter>['changeRequests']['get']
