/** A host as a server may write it in a URL, so that one reader or another takes it for an IPv4 address. */
export type AddressForm = { readonly name: string; readonly authority: string }

/** Every way known to us to write an IPv4 address, or an IPv6 address that carries it, as the host of a URL. */
export function addressForms(address: string): readonly AddressForm[] {
  const bytes = address.split('.').map(Number)
  const [a = 0, b = 0, c = 0, d = 0] = bytes
  const whole = ((a * 256 + b) * 256 + c) * 256 + d
  const hex = (value: number) => value.toString(16)
  const oct = (value: number) => `0${value.toString(8)}`
  const high = hex(a * 256 + b)
  const low = hex(c * 256 + d)
  const inverted = `${hex((a * 256 + b) ^ 0xffff)}:${hex((c * 256 + d) ^ 0xffff)}`
  const wide = address.replaceAll(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit)))
  const circled = Array.from(address).map((sign) =>
    /[1-9]/.test(sign) ? String.fromCodePoint(0x245f + Number(sign)) : sign,
  )
  const encoded = Array.from(address)
    .map((sign) => `%${hex(sign.charCodeAt(0))}`)
    .join('')
  const forms: Readonly<Record<string, string>> = {
    dotted: address,
    'trailing dot': `${address}.`,
    decimal: String(whole),
    'decimal, trailing dot': `${whole}.`,
    hexadecimal: `0x${hex(whole)}`,
    'hexadecimal in capitals': `0X${hex(whole).toUpperCase()}`,
    'hexadecimal with zeros before': `0x0000000${hex(whole)}`,
    octal: oct(whole),
    'octal with zeros before': `0000000${oct(whole)}`,
    'hexadecimal parts': bytes.map((byte) => `0x${hex(byte)}`).join('.'),
    'octal parts': bytes.map(oct).join('.'),
    'octal parts with zeros before': bytes.map((byte) => `0000${oct(byte)}`).join('.'),
    'mixed parts': `0x${hex(a)}.${oct(b)}.${c}.${oct(d)}`,
    'three parts': `${a}.${b}.${c * 256 + d}`,
    'two parts': `${a}.${(b * 256 + c) * 256 + d}`,
    'two parts, hexadecimal': `0x${hex(a)}.0x${hex((b * 256 + c) * 256 + d)}`,
    'two parts, octal': `${oct(a)}.${oct((b * 256 + c) * 256 + d)}`,
    'full-width digits': wide,
    'full-width stops': address.replaceAll('.', '．'),
    'ideographic stops': address.replaceAll('.', '。'),
    'half-width ideographic stops': address.replaceAll('.', '｡'),
    'circled digits': circled.join(''),
    'mathematical digits': Array.from(address)
      .map((sign) => (/\d/.test(sign) ? String.fromCodePoint(0x1d7d8 + Number(sign)) : sign))
      .join(''),
    'superscript digits': address.replaceAll('1', '¹').replaceAll('2', '²'),
    'percent-encoded': encoded,
    'percent-encoded stops': address.replaceAll('.', '%2e'),
    'soft hyphen': `${address.slice(0, 2)}\u00AD${address.slice(2)}`,
    'zero-width space': `${address.slice(0, 2)}\u200B${address.slice(2)}`,
    'word joiner': `${address.slice(0, 2)}\u2060${address.slice(2)}`,
    tab: `${address.slice(0, 2)}\t${address.slice(2)}`,
    'line feed': `${address.slice(0, 2)}\n${address.slice(2)}`,
    'user before it': `public.example@${address}`,
    'user and password before it': `public.example:443@${address}`,
    'encoded user before it': `public.example%2f@${address}`,
    'empty user before it': `@${address}`,
    'backslash before it': `public.example\\@${address}`,
    'IPv4-mapped': `[::ffff:${address}]`,
    'IPv4-mapped, hexadecimal': `[::ffff:${high}:${low}]`,
    'IPv4-mapped, in capitals': `[::FFFF:${high.toUpperCase()}:${low.toUpperCase()}]`,
    'IPv4-mapped, whole': `[0:0:0:0:0:ffff:${high}:${low}]`,
    'IPv4-mapped, zeros': `[0000:0000:0000:0000:0000:ffff:${address}]`,
    'IPv4-compatible': `[::${address}]`,
    'IPv4-compatible, hexadecimal': `[::${high}:${low}]`,
    'IPv4-translated': `[::ffff:0:${address}]`,
    'IPv4-translated, hexadecimal': `[::ffff:0:${high}:${low}]`,
    NAT64: `[64:ff9b::${address}]`,
    'NAT64, hexadecimal': `[64:ff9b::${high}:${low}]`,
    'NAT64 of a local prefix': `[64:ff9b:1::${address}]`,
    '6to4': `[2002:${high}:${low}::]`,
    '6to4 with a host': `[2002:${high}:${low}::1]`,
    'Teredo server': `[2001:0:${high}:${low}:0:0:f7f7:f7f7]`,
    'Teredo client': `[2001:0:808:808:0:0:${inverted}]`,
    ISATAP: `[2606:4700::5efe:${high}:${low}]`,
    'ISATAP of a known address': `[2606:4700::200:5efe:${address}]`,
  }
  return Object.entries(forms).map(([name, authority]) => ({ name, authority }))
}

/** Hosts beside the forms of an address that are link-local, the metadata of a cloud, or mean whatever is near. */
export const NEVER_HOSTS: readonly AddressForm[] = [
  '0.0.0.0', '0', '0x0', '00', '0.0', '[::]', '[0:0:0:0:0:0:0:0]', '[::ffff:0.0.0.0]', '[64:ff9b::]',
  '[fe80::1]', '[fe80::a9fe:a9fe]', '[febf::1]', '[FE80::1]', '[fe80::1%25eth0]', '[fe80::1%eth0]', '[fe80::1%251]',
  '[ff02::1]', '[fd00:ec2::254]', '[fd20:ce::254]', '100.100.100.200', '192.0.0.192', '168.63.129.16',
  '169.254.0.1', '169.254.170.2', '169.254.255.255', '224.0.0.1', '239.255.255.250', '255.255.255.255',
  '[::ffff:100.100.100.200]', '[64:ff9b::168.63.129.16]',
].map((authority) => ({ name: authority, authority })) // prettier-ignore

/** Hosts that lead to this machine beside the forms of 127.0.0.1. */
export const LOOPBACK_HOSTS: readonly AddressForm[] = [
  '127.1', '127.0.1', '127.255.255.254', '0x7f.1', '0177.1', '017700000001', '[::1]', '[0:0:0:0:0:0:0:1]',
  '[0000:0000:0000:0000:0000:0000:0000:0001]', '[::0001]', '[::1%25lo]', '[::ffff:127.0.0.2]', '[::ffff:7f00:1]',
  'localhost', 'LOCALHOST', 'localhost.', 'LocalHost.', 'a.localhost', 'a.b.localhost.', 'ｌocalhost', 'loc%61lhost',
].map((authority) => ({ name: authority, authority })) // prettier-ignore
