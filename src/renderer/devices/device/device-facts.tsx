import type { DeviceDetail } from '../../../shared/console/devices.ts'
import { Stat } from '../../components/stat.tsx'
import { VersionBadge } from '../../components/version-badge.tsx'
import { systemInWords } from '../strings.ts'
import classes from './device.module.css'

/** What a device is, in a row. */
export function DeviceFacts({ device }: { readonly device: DeviceDetail }) {
  return (
    <dl className={classes.facts}>
      <Stat label="Runs" value={<VersionBadge version={device.version} />} />
      <Stat label="Channel" value={device.channel ?? 'removed'} />
      <Stat label="Platform" value={systemInWords(device)} />
    </dl>
  )
}
