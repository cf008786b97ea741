import { formatCount, formatPercent } from '../../shared/wording/format.ts'
import { DataTable } from '../components/list/data-table.tsx'
import { STATUS_WORDS } from '../components/strings.ts'
import { stepsInWords } from '../plans/strings.ts'
import { targetsInWords } from '../releases/targets/strings.ts'
import type { ApprovalDetail } from './approval.ts'
import { text } from './strings.ts'

interface Row {
  readonly name: string
  readonly now: string
  readonly after: string
}

/** What a change request changes: each part as it is now, and as it would be. */
export function ChangeTable({ request }: { readonly request: ApprovalDetail }) {
  return (
    <DataTable
      label={text.change}
      rows={rowsOf(request)}
      keyOf={({ name }) => name}
      columns={[
        { name: text.part, cell: ({ name }) => name },
        { name: text.now, cell: ({ now }) => now },
        {
          name: text.afterwards,
          cell: ({ after }) => <span style={{ overflowWrap: 'anywhere' }}>{after}</span>,
        },
      ]}
    />
  )
}

function rowsOf({ change, current, closed }: ApprovalDetail): Row[] {
  const { rolloutPct, targets } =
    change.kind === 'plan' ? { rolloutPct: undefined, targets: undefined } : change
  const status = change.kind === 'serving' ? change.status : undefined
  // What a decided request changed is in the audit log; what is served now is another matter.
  const known = closed === null ? current : null
  const rows: Row[] = []
  if (status !== undefined) {
    const now = known === null ? text.unknown : STATUS_WORDS[known.status]
    rows.push({ name: text.status, now, after: STATUS_WORDS[status] })
  }
  const plan = change.kind === 'serving' ? undefined : change.plan
  if (plan !== undefined) {
    rows.push({ name: text.plan, now: text.unknown, after: stepsInWords(plan) })
  } else if (rolloutPct !== undefined) {
    const now = known === null ? text.unknown : formatPercent(known.rolloutPct)
    rows.push({ name: text.rollout, now, after: formatPercent(rolloutPct) })
  }
  if (targets !== undefined) {
    const now = known === null ? text.unknown : targetsInWords(known.targets)
    rows.push({ name: text.targets, now, after: targetsInWords(targets) })
  }
  if (change.kind === 'publish') {
    const after = formatCount(change.artifacts.length)
    rows.push({ name: text.artifacts, now: text.unknown, after })
  }
  return rows
}
