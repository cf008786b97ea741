import { Button, Code, Group, Stack, Table, Text } from '@mantine/core'
import { type CodeRequest, writeCode } from '../../shared/console/sign-in-codes.ts'
import { showInvisible } from '../../shared/visible.ts'
import { accountClient } from '../bridge/browser/account-client.ts'
import { ErrorNotice } from '../components/change/error-notice.tsx'
import { useChange } from '../components/change/use-change.ts'
import { Panel } from '../components/panel.tsx'
import { When } from '../components/text/when.tsx'
import { text } from './strings.ts'

const words = text.commandLine

interface Props {
  readonly request: CodeRequest
  readonly onDecided: (confirmed: boolean) => void
  readonly onLeave: () => void
}

async function decided(input: { readonly code: string; readonly confirmed: boolean }) {
  await accountClient.own.decideSignInCode.mutate(input)
  return input.confirmed
}

/** Shows what asks to sign in, and lets the person decide. */
export function CodeRequestPanel({ request, onDecided, onLeave }: Props) {
  const { userCode: code, computer, address, isOwnAddress, createdAt } = request
  const { managesPeople = false } = request
  const decide = useChange(decided, {
    failed: () => words.notDecided,
    onAnswer: onDecided,
  })
  return (
    <Panel title={words.confirmTitle(showInvisible(computer))}>
      <Stack gap="md" maw={560}>
        <Text size="sm">{words.effect}</Text>
        <Table variant="vertical" aria-label={words.details}>
          <Table.Tbody>
            <Table.Tr>
              <Table.Th>{words.code}</Table.Th>
              <Table.Td>
                <Code>{writeCode(code)}</Code>
              </Table.Td>
            </Table.Tr>
            <Table.Tr>
              <Table.Th>{words.computer}</Table.Th>
              <Table.Td>{showInvisible(computer)}</Table.Td>
            </Table.Tr>
            <Table.Tr>
              <Table.Th>{words.address}</Table.Th>
              <Table.Td>
                {address}
                <Text size="xs" c={isOwnAddress ? 'dimmed' : 'red'}>
                  {isOwnAddress ? words.ownAddress : words.otherAddress}
                </Text>
              </Table.Td>
            </Table.Tr>
            <Table.Tr>
              <Table.Th>{words.access}</Table.Th>
              <Table.Td>{managesPeople ? words.withPeople : words.withoutPeople}</Table.Td>
            </Table.Tr>
            <Table.Tr>
              <Table.Th>{words.asked}</Table.Th>
              <Table.Td>
                <When at={createdAt} />
              </Table.Td>
            </Table.Tr>
          </Table.Tbody>
        </Table>
        <Text size="sm">{words.warning}</Text>
        <ErrorNotice error={decide.error} title={words.notDecided} />
        <Group justify="space-between">
          <Button variant="subtle" disabled={decide.isPending} onClick={onLeave}>
            {words.otherCode}
          </Button>
          <Group>
            <Button
              variant="default"
              disabled={decide.isPending}
              onClick={() => decide.send({ code, confirmed: false })}
            >
              {words.deny}
            </Button>
            <Button
              loading={decide.isPending}
              onClick={() => decide.send({ code, confirmed: true })}
            >
              {words.confirm}
            </Button>
          </Group>
        </Group>
      </Stack>
    </Panel>
  )
}
