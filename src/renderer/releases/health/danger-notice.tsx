import { List, Stack, Text } from '@mantine/core'
import { IconAlertOctagon } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { ReleasePlace } from '../../../shared/console/releases/releases.ts'
import { FAILURES, type ReleaseHealth } from '../../../shared/health/health.ts'
import type { StopReason } from '../../../shared/health/judgement.ts'
import { formatCounted } from '../../../shared/wording/format.ts'
import { HEALTH_LABELS, stopReasonLine } from '../../../shared/wording/judgement.ts'
import { server } from '../../bridge/clients.ts'
import { Notice } from '../../components/blocks.tsx'
import { Strong } from '../../components/text/words.tsx'
import { type Consequence, dangerText as text } from './strings.ts'

/** What is known against a release. */
interface Danger {
  /** When the server stopped its plan; null if it fails without a running one. */
  readonly stoppedAt: string | null
  readonly reasons: readonly StopReason[]
  readonly health: ReleaseHealth
}

/** Returns what is known against a release, `danger` undefined for nothing; `isKnown` is false until the server has answered. */
export function useDanger({ app, channel, version }: ReleasePlace): {
  readonly danger: Danger | undefined
  readonly isKnown: boolean
} {
  const plans = useQuery(server.plans.get.queryOptions({ app, channel, version }))
  const overview = useQuery(server.overview.get.queryOptions())
  const isKnown = !plans.isLoading && !overview.isLoading
  const state = plans.data?.plan
  if (plans.data !== undefined && state?.status === 'stopped' && state.reason === 'failures') {
    const { health } = plans.data
    const { since: stoppedAt, stopReasons: reasons } = state
    return { danger: { stoppedAt, reasons: reasons ?? [], health }, isKnown }
  }
  const failing = overview.data?.attention.failing.find(
    (each) => each.app === app && each.channel === channel && each.version === version,
  )
  return { danger: failing?.stoppedAt === null ? failing : undefined, isKnown }
}

interface Props {
  readonly version: string
  readonly danger: Danger | undefined
  /** What would come of confirming. */
  readonly then: Consequence
}

/** Names in a confirmation what is known against the release, what is accepted, and what still watches it. */
export function DangerNotice({ version, danger, then }: Props) {
  if (danger === undefined) return null
  const { stoppedAt, reasons, health } = danger
  const isStopped = stoppedAt !== null
  const failures = FAILURES.filter((failure) => health[failure] > 0)
  return (
    <Notice
      icon={IconAlertOctagon}
      color="red"
      title={isStopped ? text.stopped(version) : text.failing(version)}
    >
      <Stack gap="xs">
        {reasons.map((reason) => (
          <Text key={reason.code} size="sm">
            {stopReasonLine(reason)}
          </Text>
        ))}
        {failures.length > 0 && (
          <List size="sm" aria-label={text.failures}>
            {failures.map((failure) => (
              <List.Item key={failure}>
                {`${HEALTH_LABELS[failure]}: ${formatCounted(health[failure], 'device')}`}
              </List.Item>
            ))}
          </List>
        )}
        <Strong>{text.consequences[then](isStopped)}</Strong>
      </Stack>
    </Notice>
  )
}
