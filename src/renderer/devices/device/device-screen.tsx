import { Group, Stack, Text } from '@mantine/core'
import { IconDevicesOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useNavigate, useParams } from 'react-router'
import { showInvisible } from '../../../shared/basics/visible.ts'
import type { DeviceDetail, DevicePlace } from '../../../shared/console/devices.ts'
import { useAccess } from '../../bridge/access.ts'
import { server, serverClient } from '../../bridge/clients.ts'
import { consoleErrorOf } from '../../bridge/error.ts'
import { Panel, SmallButton, Stat } from '../../components/blocks.tsx'
import { ChangeDialog } from '../../components/dialog/dialog-form.tsx'
import { AppNotFound, EmptyState } from '../../components/loading/empty-state.tsx'
import { Loaded } from '../../components/loading/loading.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { VersionBadge } from '../../components/release/version-badge.tsx'
import { CopyButton } from '../../components/text/copy-button.tsx'
import { Ago, Quiet, Small, When } from '../../components/text/words.tsx'
import { deviceIdOf, paths } from '../../paths.ts'
import { ExplainPanel } from '../explain/explain-panel.tsx'
import { text as listText, systemInWords, deviceText as text } from '../strings.ts'
import { CheckInsPanel } from './check-ins-panel.tsx'
import classes from './device.module.css'
import { DeviceTimeline } from './device-timeline.tsx'
import { EarlyAccessPanel } from './early-access-panel.tsx'

/** One device: what it runs, what it did, and which update it is offered. */
export function Component() {
  const { app = '', deviceId: param = '' } = useParams()
  const deviceId = deviceIdOf(param)
  const mayForget = useAccess().may('administrator', app)
  const device = useQuery(server.devices.get.queryOptions({ app, deviceId }))
  const refused = device.error === null ? undefined : consoleErrorOf(device.error).refusal?.code
  const isGone = refused === 'unknown_app' || refused === 'unknown_device'
  return (
    <>
      <PageHeader
        name={text.pageName(deviceId)}
        title={<span className={classes.id}>{deviceId}</span>}
        actions={
          <Group gap="xs">
            <CopyButton text={deviceId} what={text.deviceId} word={text.copyId} />
            {device.data && !isGone && mayForget && <ForgetButton app={app} deviceId={deviceId} />}
          </Group>
        }
        trail={[
          { name: listText.title, to: paths.devices() },
          { name: app, to: paths.devices({ app }) },
        ]}
        description={device.data && <Seen device={device.data} />}
      />
      {refused === 'unknown_app' && <AppNotFound app={app} />}
      {refused === 'unknown_device' && (
        <EmptyState
          icon={IconDevicesOff}
          title={text.notFoundTitle}
          link={{ to: paths.devices({ app }), name: text.showDevices, isNext: false }}
          hint={text.notFound(app)}
        />
      )}
      {!isGone && (
        <Loaded query={device}>{(known) => <DeviceParts key={deviceId} device={known} />}</Loaded>
      )}
    </>
  )
}

function Seen({ device }: { readonly device: DeviceDetail }) {
  return (
    <>
      {text.lastSeen} <Ago at={device.lastSeen} /> · {text.firstSeen} <Ago at={device.firstSeen} />
    </>
  )
}

function DeviceParts({ device }: { readonly device: DeviceDetail }) {
  return (
    <>
      <DeviceFacts device={device} />
      <div className={classes.columns}>
        <ExplainPanel device={device} />
        <Stack gap="md" miw={0}>
          <EarlyAccessPanel device={device} />
          <Panel title={listText.labels}>
            <DeviceLabels app={device.app} labels={device.labels} />
          </Panel>
          <DeviceTimeline device={device} />
          <Panel title={text.history}>
            <VersionHistory device={device} />
          </Panel>
        </Stack>
        <div className={classes.wide}>
          <CheckInsPanel device={device} />
        </div>
      </div>
    </>
  )
}

/** What a device is, in a row. */
function DeviceFacts({ device }: { readonly device: DeviceDetail }) {
  return (
    <dl className="stats">
      <Stat
        label={listText.version}
        value={<VersionBadge app={device.app} version={device.version} />}
      />
      <Stat label={listText.channel} value={device.channel ?? text.channelDeleted} />
      <Stat label={listText.platform} value={systemInWords(device)} />
    </dl>
  )
}

interface Props {
  readonly app: string
  readonly labels: Readonly<Record<string, string>>
}

/** A device's labels, each a way to the devices that have it too. */
function DeviceLabels({ app, labels }: Props) {
  const entries = Object.entries(labels)
  if (entries.length === 0) {
    return <Text c="dimmed">{text.noLabels}</Text>
  }
  return (
    <ul className={`plain-list ${classes.labels}`}>
      {entries.map(([key, value]) => (
        <li key={key}>
          <Link
            className={classes.label}
            to={paths.devices({ app, search: `${key}=${value}` })}
            title={text.devicesWith(`${key}=${value}`)}
          >
            <Text span inherit c="dimmed">
              {key}
            </Text>
            {showInvisible(value)}
          </Link>
        </li>
      ))}
    </ul>
  )
}

/** Forgets the device after a confirmation that lists what is deleted. */
function ForgetButton({ app, deviceId }: DevicePlace) {
  const [opened, setOpened] = useState(false)
  const navigate = useNavigate()
  return (
    <>
      <SmallButton onClick={() => setOpened(true)}>{text.forget}</SmallButton>
      <ChangeDialog
        opened={opened}
        onClose={() => setOpened(false)}
        title={text.forget}
        action={text.forget}
        send={() => serverClient.devices.forget.mutate({ app, deviceId })}
        done={text.forgotten(deviceId)}
        failed={text.notForgotten(deviceId)}
        onAnswer={() => void navigate(paths.devices({ app }))}
      >
        {text.forgetQuestion(deviceId)}
      </ChangeDialog>
    </>
  )
}

/** What a device ran since when, latest first. */
function VersionHistory({ device }: { readonly device: DeviceDetail }) {
  const { history, moreHistory } = device
  if (history.length === 0) {
    return <Text c="dimmed">{text.noHistory}</Text>
  }
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
      <ol className={`plain-list ${classes.history}`} tabIndex={0} aria-label={text.historyList}>
        {history.map(({ at, ...profile }) => (
          <li key={at}>
            <Group gap="0 8px" justify="space-between">
              {profile.version === null ? (
                <Quiet span>{text.unknown}</Quiet>
              ) : (
                <VersionBadge app={device.app} version={profile.version} />
              )}
              <Small>
                {text.since} <When at={at} />
              </Small>
            </Group>
            <Small>
              {profile.version === null
                ? text.notRecorded
                : text.ran(profile.channel ?? text.channelDeleted, systemInWords(profile))}
            </Small>
          </li>
        ))}
      </ol>
      {moreHistory && <Small mt="xs">{text.moreHistory}</Small>}
    </>
  )
}
