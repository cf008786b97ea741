import { Alarm } from '../../shared/events/webhook.ts'
import { type CertificateState, expiryOf } from '../../shared/operation/certificate.ts'
import type { Backups } from '../backups/backups.ts'
import type { BucketOutage } from '../hosting/bucket/bucket-failure.ts'
import type { ProvingSchedule } from '../outbound/proving/schedule.ts'
import type { StoredFleet } from '../storage/interface/storage.ts'
import type { PlanRunner } from '../use-cases/plans/plan-runner.ts'

interface Watched {
  readonly fleet: Pick<StoredFleet, 'health' | 'admission'>
  readonly backups: Pick<Backups, 'failure'>
  readonly proving: Pick<ProvingSchedule, 'failed'>
  readonly plans: Pick<PlanRunner, 'failed'>
  readonly certificate: CertificateState | null
  /** Why the bucket for stored files cannot be used for a while. */
  readonly bucketOutage: BucketOutage | null
  /** Unix time in milliseconds. */
  readonly now: number
}

/** Returns what is wrong with a running server, as people who are not looking at it should hear. */
export function currentAlarms({
  fleet,
  backups,
  proving,
  plans,
  certificate,
  bucketOutage,
  now,
}: Watched): readonly Alarm[] {
  const isExpiring = certificate !== null && expiryOf(certificate.expiresAt, now) !== 'ok'
  const raised: Readonly<Record<Alarm, boolean>> = {
    telemetry_not_stored: fleet.health.failure !== null,
    disk_low: !fleet.admission.addsRows,
    certificate_expiring: isExpiring,
    backup_failed: backups.failure !== null,
    proving_failed: proving.failed,
    plans_failed: plans.failed,
    bucket_unavailable: bucketOutage !== null,
  }
  return Alarm.options.filter((alarm) => raised[alarm])
}
