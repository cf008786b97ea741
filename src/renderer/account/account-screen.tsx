import { Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { account } from '../bridge/browser/account-client.ts'
import { Loaded } from '../components/loading/loaded.tsx'
import { PageHeader } from '../components/page-header.tsx'
import { AppearanceSection } from './appearance-section.tsx'
import { EmailSection } from './email-section.tsx'
import { PasskeysSection } from './passkeys-section.tsx'
import { PasswordSection } from './password-section.tsx'
import { SessionsSection } from './sessions-section.tsx'
import { SingleSignOnSection } from './single-sign-on-section.tsx'
import { text } from './strings.ts'
import { TwoFactorSection } from './two-factor-section.tsx'

/** How the person signs in, where they are signed in, and how the console looks to them. In browsers only. */
export function AccountScreen() {
  const own = useQuery(account.own.get.queryOptions())
  return (
    <>
      <PageHeader
        title={text.title}
        description={own.data === undefined ? undefined : text.signedInAs(own.data.name)}
      />
      <Stack gap="lg">
        <Loaded query={own}>
          {(data) => (
            <>
              <PasswordSection own={data} />
              <TwoFactorSection own={data} />
              <PasskeysSection own={data} />
              <SingleSignOnSection own={data} />
              <EmailSection email={data.email} />
            </>
          )}
        </Loaded>
        <SessionsSection />
        <AppearanceSection />
      </Stack>
    </>
  )
}
