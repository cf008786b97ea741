import { Alert, Stack, Text } from '@mantine/core'
import { IconChecklist } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'
import { showProse } from '../../../shared/basics/visible.ts'
import { formatCount, formatPercent } from '../../../shared/wording/format.ts'
import { server, serverClient } from '../../bridge/clients.ts'
import { isUnknown } from '../../bridge/error.ts'
import { LinkButton, Panel } from '../../components/blocks.tsx'
import { DataTable } from '../../components/list/data-table.tsx'
import { EmptyState } from '../../components/loading/empty-state.tsx'
import { Loaded } from '../../components/loading/loading.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { STATUS_WORDS } from '../../components/strings.ts'
import { Quiet, When } from '../../components/text/words.tsx'
import { paths } from '../../paths.ts'
import { PlanSchedule } from '../plans/schedule/plan-schedule.tsx'
import { stepsInWords } from '../plans/strings.ts'
import { useCounting } from '../serving/use-preview.ts'
import { targetsInWords } from '../targets/strings.ts'
import { DecisionButtons } from './decision-buttons.tsx'
import { type ApprovalDetail, ImpactPanel } from './impact-panel.tsx'
import { changeInWords, outcomeInWords, text } from './strings.ts'

/** One change request: what it changes, what that does, and the decision. */
export function Component() {
  const { id = '' } = useParams()
  const known = useQuery(server.changeRequests.get.queryOptions({ id }))
  if (isUnknown(known.error)) {
    return (
      <>
        <PageHeader title={text.notFound} trail={TRAIL} />
        <EmptyState
          icon={IconChecklist}
          title={text.notFound}
          link={{ to: paths.approvals, name: text.showAll }}
          hint={text.notFoundHint}
        />
      </>
    )
  }
  if (known.data !== undefined) return <Approval key={id} request={known.data} />
  return (
    <>
      <PageHeader title={text.title} trail={TRAIL} />
      <Loaded query={known}>{() => null}</Loaded>
    </>
  )
}

const TRAIL = [{ name: text.title, to: paths.approvals }]

function Approval({ request }: { readonly request: ApprovalDetail }) {
  const { id, app, channel, version, change, closed, current, channelRevision } = request
  const plan = change.kind === 'serving' ? undefined : change.plan
  const counting = useCounting(
    closed === null
      ? (handlers) => serverClient.changeRequests.preview.subscribe({ id }, handlers)
      : undefined,
    `${channelRevision}`,
  )
  return (
    <>
      <PageHeader
        title={changeInWords(request)}
        trail={TRAIL}
        description={
          <>
            {`${app}/${channel} · ${text.requestedBy(request.proposedBy)}, `}
            <When at={request.proposedAt} />
          </>
        }
        actions={
          <>
            {current !== null && (
              <LinkButton to={paths.release({ app, channel, version })}>
                {text.openRelease}
              </LinkButton>
            )}
            <DecisionButtons request={request} state={counting.state} />
          </>
        }
      />
      <Stack gap="md">
        <Outcome request={request} />
        <Panel title={text.change}>
          <ChangeTable request={request} />
        </Panel>
        {plan !== undefined && closed === null && (
          <Panel title={text.plan}>
            <PlanSchedule
              at={{
                app,
                channel,
                ...(change.kind === 'publish' ? { targets: change.targets } : { version }),
              }}
              plan={plan}
            />
          </Panel>
        )}
        <Panel title={text.comment}>
          <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
            {request.comment === '' ? text.noComment : showProse(request.comment)}
          </Text>
        </Panel>
        <ImpactPanel request={request} counting={counting} />
      </Stack>
    </>
  )
}

function Outcome({
  request: { closed, expiresAt, mayDecide, mayWithdraw },
}: {
  readonly request: ApprovalDetail
}) {
  if (closed === null) {
    return (
      <Quiet>
        {mayWithdraw && `${text.ownRequest} `}
        {!(mayWithdraw || mayDecide) && `${text.notForYou} `}
        {text.expires} <When at={expiresAt} />
      </Quiet>
    )
  }
  return (
    <Alert
      variant="light"
      color={closed.state === 'applied' ? 'green' : 'gray'}
      title={
        <>
          {outcomeInWords(closed)} · <When at={closed.at} />
        </>
      }
    >
      {closed.comment === '' ? undefined : showProse(closed.comment)}
    </Alert>
  )
}

interface Row {
  readonly name: string
  readonly now: string
  readonly after: string
}

/** What a change request changes: each part as it is now, and as it would be. */
function ChangeTable({ request }: { readonly request: ApprovalDetail }) {
  return (
    <DataTable
      label={text.change}
      rows={rowsOf(request)}
      keyOf={({ name }) => name}
      columns={[
        { name: text.part, cell: ({ name }) => name },
        // What a decided request changed is in the audit log; what is served now is another matter.
        request.closed === null && { name: text.now, cell: ({ now }) => now },
        {
          name: request.closed === null ? text.afterwards : text.requestedValue,
          cell: ({ after }) => <span style={{ overflowWrap: 'anywhere' }}>{after}</span>,
        },
      ]}
    />
  )
}

function rowsOf({ change, current }: ApprovalDetail): Row[] {
  const { rolloutPct, targets } =
    change.kind === 'plan' ? { rolloutPct: undefined, targets: undefined } : change
  const status = change.kind === 'serving' ? change.status : undefined
  const rows: Row[] = []
  if (status !== undefined) {
    const now = current === null ? text.unknown : STATUS_WORDS[current.status]
    rows.push({ name: text.status, now, after: STATUS_WORDS[status] })
  }
  const plan = change.kind === 'serving' ? undefined : change.plan
  if (plan !== undefined) {
    rows.push({ name: text.plan, now: text.unknown, after: stepsInWords(plan) })
  } else if (rolloutPct !== undefined) {
    const now = current === null ? text.unknown : formatPercent(current.rolloutPct)
    rows.push({ name: text.rollout, now, after: formatPercent(rolloutPct) })
  }
  if (targets !== undefined) {
    const now = current === null ? text.unknown : targetsInWords(current.targets)
    rows.push({ name: text.targets, now, after: targetsInWords(targets) })
  }
  if (change.kind === 'publish') {
    const after = formatCount(change.artifacts.length)
    rows.push({ name: text.artifacts, now: text.unknown, after })
  }
  return rows
}
