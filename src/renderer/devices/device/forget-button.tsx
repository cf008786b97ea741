import { Button } from '@mantine/core'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import type { DevicePlace } from '../../../shared/console/devices.ts'
import { serverClient } from '../../bridge/clients.ts'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { useChange } from '../../components/use-change.ts'
import { paths } from '../../paths.ts'

/** Forgets the device after a confirmation that lists what is deleted. */
export function ForgetButton({ app, deviceId }: DevicePlace) {
  const [opened, setOpened] = useState(false)
  const navigate = useNavigate()
  const forget = useChange(serverClient.devices.forget.mutate, {
    done: () => `Device ${deviceId} was forgotten.`,
    failed: () => `Device ${deviceId} was not forgotten`,
    onAnswer: () => void navigate(paths.devices({ app })),
  })
  return (
    <>
      <Button variant="default" size="xs" onClick={() => setOpened(true)}>
        Forget device
      </Button>
      <ConfirmDialog
        opened={opened}
        onClose={() => setOpened(false)}
        title="Forget device"
        action="Forget device"
        change={forget}
        onConfirm={() => forget.send({ app, deviceId })}
      >
        This deletes the ID, labels, first and last seen, and version history of {deviceId}. Its
        check-ins stay in the log without anything that identifies the device, and past daily
        statistics still count it. The audit log keeps a hash of the ID. Existing backups are not
        changed. If the device checks in again, it is added as a new device.
      </ConfirmDialog>
    </>
  )
}
