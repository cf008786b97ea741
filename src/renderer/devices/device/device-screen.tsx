import { Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'
import type { DeviceDetail } from '../../../shared/console/devices.ts'
import { server } from '../../bridge/clients.ts'
import { CopyButton } from '../../components/copy-button.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { Panel } from '../../components/panel.tsx'
import { Stat } from '../../components/stat.tsx'
import { VersionBadge } from '../../components/version-badge.tsx'
import { deviceIdOf, paths } from '../../paths.ts'
import { Ago } from '../ago.tsx'
import { ExplainPanel } from '../explain/explain-panel.tsx'
import { systemInWords } from '../strings.ts'
import { CheckInsPanel } from './check-ins-panel.tsx'
import classes from './device.module.css'
import { DeviceLabels } from './device-labels.tsx'
import { ForgetButton } from './forget-button.tsx'
import { VersionHistory } from './version-history.tsx'

/** One device: what it runs, what it did, and what it is told. */
export function DeviceScreen() {
  const { app = '', deviceId: param = '' } = useParams()
  const deviceId = deviceIdOf(param)
  const device = useQuery({
    ...server.devices.get.queryOptions({ app, deviceId }),
    // Another device's page shows nothing of the one before.
    placeholderData: () => undefined,
  })
  return (
    <>
      <PageHeader
        name={`Device ${deviceId}`}
        title={<span className={classes.id}>{deviceId}</span>}
        actions={
          <Group gap="xs">
            <CopyButton text={deviceId} what="the device ID" word="Copy" />
            {device.data && <ForgetButton app={app} deviceId={deviceId} />}
          </Group>
        }
        trail={[
          { name: 'Devices', to: paths.devices() },
          { name: app, to: paths.devices({ app }) },
        ]}
        description={device.data && <Seen device={device.data} />}
      />
      <Loaded query={device}>{(known) => <DeviceParts key={deviceId} device={known} />}</Loaded>
    </>
  )
}

function Seen({ device }: { readonly device: DeviceDetail }) {
  return (
    <>
      Last seen <Ago at={device.lastSeen} />, known since <Ago at={device.firstSeen} />
    </>
  )
}

function DeviceParts({ device }: { readonly device: DeviceDetail }) {
  return (
    <>
      <DeviceFacts device={device} />
      <div className={classes.columns}>
        <ExplainPanel device={device} />
        <div className={classes.side}>
          <Panel title="Labels">
            <DeviceLabels app={device.app} labels={device.labels} />
          </Panel>
          <Panel title="Version history">
            <VersionHistory device={device} />
          </Panel>
        </div>
        <div className={classes.wide}>
          <CheckInsPanel device={device} />
        </div>
      </div>
      <Text size="sm" c="dimmed" mt="md">
        Checking a decision here has no side effects.
      </Text>
    </>
  )
}

/** What a device is, in a row. */
function DeviceFacts({ device }: { readonly device: DeviceDetail }) {
  return (
    <dl className="stats">
      <Stat label="Runs" value={<VersionBadge app={device.app} version={device.version} />} />
      <Stat label="Channel" value={device.channel ?? 'removed'} />
      <Stat label="Platform" value={systemInWords(device)} />
    </dl>
  )
}
