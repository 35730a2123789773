//! IPTC-IIM records inside Photoshop image resources, as in JPEG (Adobe Photoshop File Formats Specification, "Image
//! Resource Blocks").

const SIGNATURE: &[u8] = b"8BIM";
const IPTC: u16 = 0x0404;

/// Signature, ID, empty name and length of a resource.
pub(crate) const OVERHEAD: usize = 12;

/// The records among the resources.
pub(crate) fn find(mut resources: &[u8]) -> Option<Vec<u8>> {
    loop {
        let rest = resources.strip_prefix(SIGNATURE)?;
        let (number, rest) = rest.split_first_chunk()?;
        // A name has a length byte and is padded to an even number of bytes.
        let name = (usize::from(*rest.first()?) + 1).next_multiple_of(2);
        let (length, rest) = rest.get(name..)?.split_first_chunk()?;
        let length = u32::from_be_bytes(*length) as usize;
        let data = rest.get(..length)?;
        if u16::from_be_bytes(*number) == IPTC {
            return (!data.is_empty()).then(|| data.to_vec());
        }
        resources = rest.get(length.checked_next_multiple_of(2)?..)?;
    }
}

/// The records as the only resource.
pub(crate) fn wrap(iptc: &[u8]) -> Vec<u8> {
    let mut resource = SIGNATURE.to_vec();
    resource.extend(IPTC.to_be_bytes());
    resource.extend([0; 2]);
    resource.extend((iptc.len() as u32).to_be_bytes());
    resource.extend_from_slice(iptc);
    resource.resize(resource.len().next_multiple_of(2), 0);
    resource
}
