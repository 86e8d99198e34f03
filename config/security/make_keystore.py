#!/usr/bin/env python3
"""
A keystore for DDS Security out of a policy, where there is no `ros2 security`.

The files and folders are those of sros2, so either can go on with what the other has made. Needs
nothing but openssl. See docs/security.md.
"""

import argparse
import datetime
import os
import pathlib
import re
import subprocess
import sys
import xml.etree.ElementTree as xml

DAYS = 3650
SCHEMAS = 'http://www.omg.org/spec/DDS-SECURITY/20170901/omg_shared_ca_'

GOVERNANCE = """<?xml version="1.0" encoding="UTF-8"?>
<dds xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
  xsi:noNamespaceSchemaLocation="{schemas}governance.xsd">
  <domain_access_rules>
    <domain_rule>
      <domains><id>{domain}</id></domains>
      <allow_unauthenticated_participants>false</allow_unauthenticated_participants>
      <enable_join_access_control>true</enable_join_access_control>
      <discovery_protection_kind>ENCRYPT</discovery_protection_kind>
      <liveliness_protection_kind>ENCRYPT</liveliness_protection_kind>
      <rtps_protection_kind>SIGN</rtps_protection_kind>
      <topic_access_rules>
        <topic_rule>
          <topic_expression>*</topic_expression>
          <enable_discovery_protection>true</enable_discovery_protection>
          <enable_liveliness_protection>true</enable_liveliness_protection>
          <enable_read_access_control>true</enable_read_access_control>
          <enable_write_access_control>true</enable_write_access_control>
          <metadata_protection_kind>ENCRYPT</metadata_protection_kind>
          <data_protection_kind>ENCRYPT</data_protection_kind>
        </topic_rule>
      </topic_access_rules>
    </domain_rule>
  </domain_access_rules>
</dds>
"""

# what `openssl ca` needs to keep a list of certificates that count no more
REVOCATION = """[ca]
default_ca = store
[store]
database = {store}/private/revoked.txt
crlnumber = {store}/private/crlnumber
default_md = sha256
default_crl_days = {days}
"""

PERMISSIONS = """<?xml version="1.0" encoding="UTF-8"?>
<dds xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
  xsi:noNamespaceSchemaLocation="{schemas}permissions.xsd">
  <permissions>
    <grant name="{enclave}">
      <subject_name>CN={enclave}</subject_name>
      <validity>
        <not_before>{begin}</not_before>
        <not_after>{end}</not_after>
      </validity>
{rules}      <default>DENY</default>
    </grant>
  </permissions>
</dds>
"""


# ---------- from names of ROS to names of DDS ----------


def full_name(name, profile):
    """Name of a topic or service, as the profile's node would resolve it."""
    namespace = profile.get('ns', '/').rstrip('/')
    if name.startswith('/'):
        return name
    if name.startswith('~'):
        return f'{namespace}/{profile.get("node")}{name[1:]}'
    return f'{namespace}/{name}'


def dds_names(profile, qualifier):
    """What is written and what is read, with this qualifier (ALLOW or DENY), by one profile."""
    write, read = set(), set()
    for group in profile:
        names = [full_name(entry.text.strip(), profile) for entry in group]
        wanted = {right for right, value in group.attrib.items() if value == qualifier}
        topics = {f'rt{name}' for name in names}
        requests = {f'rq{name}Request' for name in names}
        replies = {f'rr{name}Reply' for name in names}
        write |= topics if 'publish' in wanted else set()
        read |= topics if 'subscribe' in wanted else set()
        write |= requests if 'request' in wanted else set()
        read |= replies if 'request' in wanted else set()
        write |= replies if 'reply' in wanted else set()
        read |= requests if 'reply' in wanted else set()
    return write, read


def topic_list(kind, names):
    if not names:
        return ''
    lines = ''.join(f'            <topic>{name}</topic>\n' for name in sorted(names))
    return f'        <{kind}>\n          <topics>\n{lines}          </topics>\n        </{kind}>\n'


def rules(enclave, domain):
    """Rules of an enclave; a forbidden name comes first, because the first that fits counts."""
    text = ''
    for qualifier, tag in (('DENY', 'deny_rule'), ('ALLOW', 'allow_rule')):
        write, read = set(), set()
        for profile in enclave.iter('profile'):
            more = dds_names(profile, qualifier)
            write |= more[0]
            read |= more[1]
        if qualifier == 'ALLOW':
            # every participant of ROS 2 says on this one which nodes it has
            write.add('ros_discovery_info')
            read.add('ros_discovery_info')
        if write or read:
            text += (f'      <{tag}>\n        <domains><id>{domain}</id></domains>\n'
                     f'{topic_list("publish", write)}{topic_list("subscribe", read)}'
                     f'      </{tag}>\n')
    return text


# ---------- checks ----------


def check_enclave(name):
    """Refuse what is no name of ROS 2: as a path, it could lead out of the keystore."""
    if name is None or not re.fullmatch(r'/|(/[A-Za-z_][A-Za-z0-9_]*)+', name):
        sys.exit(f'enclave {name!r}: must be such as /mbdyn or /arm/mbdyn, of letters, digits and _')


# ---------- files ----------


def openssl(*arguments):
    done = subprocess.run(['openssl', *map(str, arguments)], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f'openssl {arguments[0]}: {done.stderr.strip()}')


def link(target, path):
    if not path.exists():
        path.symlink_to(os.path.relpath(target, path.parent))


def sign(store, plain):
    """The file as signed text, beside it."""
    openssl('smime', '-sign', '-text', '-in', plain, '-out', plain.with_suffix('.p7s'),
            '-signer', store / 'public/permissions_ca.cert.pem',
            '-inkey', store / 'private/permissions_ca.key.pem')


def key_options(key):
    return ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-sha256',
            '-keyout', key]


def make_authority(store, domain):
    """One authority for both identities and permissions, and the rules of the domain."""
    for folder in ('public', 'private', 'enclaves'):
        (store / folder).mkdir(parents=True, exist_ok=True)
    key, certificate = store / 'private/ca.key.pem', store / 'public/ca.cert.pem'
    if not (store / 'private/identity_ca.key.pem').exists():
        openssl('req', '-x509', *key_options(key), '-out', certificate, '-days', DAYS,
                '-subj', '/CN=sros2CA', '-addext', 'basicConstraints=critical,CA:TRUE,pathlen:1')
    for role in ('identity', 'permissions'):
        link(key, store / f'private/{role}_ca.key.pem')
        link(certificate, store / f'public/{role}_ca.cert.pem')
    governance = store / 'enclaves/governance.xml'
    governance.write_text(GOVERNANCE.format(schemas=SCHEMAS, domain=domain))
    sign(store, governance)


def make_identity(store, folder, name):
    """Key and certificate of an enclave; kept if they are there."""
    if (folder / 'cert.pem').exists() and (folder / 'key.pem').exists():
        return
    request = folder / 'request.pem'
    subject = '/CN=' + name.replace('/', '\\/')
    openssl('req', '-new', *key_options(folder / 'key.pem'), '-out', request, '-subj', subject)
    openssl('x509', '-req', '-in', request, '-out', folder / 'cert.pem', '-days', DAYS, '-sha256',
            '-CA', store / 'public/identity_ca.cert.pem',
            '-CAkey', store / 'private/identity_ca.key.pem', '-CAcreateserial')
    request.unlink()


def revoke(store, name):
    """The enclave's certificate counts no more; it gets another one. The list is for all."""
    folder = store / 'enclaves' / name.strip('/')
    private = store / 'private'
    (private / 'revoked.txt').touch()
    if not (private / 'crlnumber').exists():
        (private / 'crlnumber').write_text('01\n')
    (private / 'ca.cnf').write_text(REVOCATION.format(store=store, days=DAYS))
    authority = ['-config', private / 'ca.cnf', '-cert', store / 'public/identity_ca.cert.pem',
                 '-keyfile', private / 'identity_ca.key.pem']
    openssl('ca', *authority, '-revoke', folder / 'cert.pem')
    openssl('ca', *authority, '-gencrl', '-out', store / 'public/crl.pem')
    (folder / 'cert.pem').unlink()
    (folder / 'key.pem').unlink()


def make_enclave(store, enclave, domain):
    name = enclave.get('path')
    folder = store / 'enclaves' / name.strip('/')
    folder.mkdir(parents=True, exist_ok=True)
    for role in ('identity', 'permissions'):
        link(store / f'public/{role}_ca.cert.pem', folder / f'{role}_ca.cert.pem')
    if folder != store / 'enclaves':
        link(store / 'enclaves/governance.p7s', folder / 'governance.p7s')
    if (store / 'public/crl.pem').exists():
        link(store / 'public/crl.pem', folder / 'crl.pem')
    make_identity(store, folder, name)
    now = datetime.datetime.now(datetime.timezone.utc).replace(microsecond=0, tzinfo=None)
    permissions = folder / 'permissions.xml'
    permissions.write_text(PERMISSIONS.format(
        schemas=SCHEMAS, enclave=name, rules=rules(enclave, domain),
        begin=(now - datetime.timedelta(days=1)).isoformat(),
        end=(now + datetime.timedelta(days=DAYS)).isoformat()))
    sign(store, permissions)
    return name


def main():
    parser = argparse.ArgumentParser(
        description='Keys and signed permissions for every enclave of a policy.')
    parser.add_argument('policy', type=pathlib.Path, help='policy file, such as policy.xml')
    parser.add_argument('keystore', type=pathlib.Path, help='folder; keys that it has are kept')
    parser.add_argument('--domain', type=int, default=int(os.environ.get('ROS_DOMAIN_ID') or 0),
                        help='DDS domain (default: ROS_DOMAIN_ID, or 0)')
    parser.add_argument('--revoke', metavar='ENCLAVE', action='append', default=[],
                        help='the key that this enclave had counts no more; it gets a new one')
    options = parser.parse_args()
    os.umask(0o077)
    store = options.keystore.absolute()
    policy = xml.parse(options.policy)
    # all of them before the first file is written
    for enclave in policy.iter('enclave'):
        check_enclave(enclave.get('path'))
    for name in options.revoke:
        check_enclave(name)
        if not (store / 'enclaves' / name.strip('/') / 'cert.pem').exists():
            sys.exit(f'enclave {name!r} has no certificate in {store}: nothing is revoked')
    make_authority(store, options.domain)
    for name in options.revoke:
        revoke(store, name)
    for enclave in policy.iter('enclave'):
        print(make_enclave(store, enclave, options.domain))


if __name__ == '__main__':
    main()
